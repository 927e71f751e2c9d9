import { join, relative } from "node:path";
import type { SandboxPolicy } from "@quire/protocol";
import { isWithin } from "../lib/is-within.ts";
import type { PlannedChange } from "../patch/plan-patch.ts";
import { realPathOf } from "../workspace-files/real-path.ts";
import { askGuardian, askUser } from "./ask.ts";
import { mayEscalate } from "./judge-command.ts";
import { type ToolContext, ToolFailure } from "./tool-context.ts";
import { areWritable } from "./writable.ts";

/** Changes of files that a model wants to make. */
export interface FileChangeRequest {
  readonly callId: string;
  /** The exact changes that are shown, judged, remembered and written. */
  readonly changes: readonly PlannedChange[];
  readonly cwd: string;
  readonly patch?: string | undefined;
}

/** The answer to a file change. A refusal ends the item and is the model's output. */
export type FileChangeAnswer =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      readonly status: "declined" | "failed";
      readonly output: string;
      /** Work for after the item has ended. */
      readonly afterwards?: () => void;
    };

/** Decides if changes need a question. Throws a {@link ToolFailure} when they are not allowed at all. */
export function judgeFileChange(request: FileChangeRequest, context: ToolContext): "apply" | "ask" {
  const { approvals, settings, turnId } = context;
  if (keysOf(request).every((key) => approvals.grants.isApproved(key))) return "apply";
  if (settings.approvalPolicy === "untrusted") return "ask";
  const limits = approvals.grants.limits(settings, turnId);
  if (areWritable(filesOf(request), limits, approvals.options)) return "apply";
  if (mayEscalate(settings.approvalPolicy)) return "ask";
  throw new ToolFailure(`patch rejected: ${refusal(limits.policy)}; rejected by user approval settings`);
}

/** Asks about changes whose item has been announced. Never rejects. */
export async function askFileChange(request: FileChangeRequest, context: ToolContext): Promise<FileChangeAnswer> {
  const { callId, cwd, patch } = request;
  const files = filesOf(request);
  const review = await askGuardian(context, () => ({
    itemId: callId,
    shown: { type: "applyPatch", cwd, files },
    planned: { tool: "apply_patch", cwd, files, patch },
  }));
  if (review)
    return review.approved ? { accepted: true } : { ...declined(review.reason), afterwards: review.afterwards };
  const release = context.hold("waitingOnApproval");
  const answer = await askUser(context, "item/fileChange/requestApproval", {
    itemId: request.callId,
    startedAtMs: Date.now(),
    reason: reasonOf(request, context.settings.cwd),
    grantRoot: null,
  });
  release();
  if (answer.kind === "interrupted") return declined("aborted by user");
  switch (answer.kind === "answer" ? answer.result?.decision : undefined) {
    case "acceptForSession":
      context.approvals.grants.approve(keysOf(request));
      return { accepted: true };
    case "accept":
      return { accepted: true };
    case "decline":
      return declined("patch rejected by user");
    case "cancel":
      context.interrupt("the user cancelled a change of files");
      return declined("aborted by user");
    default:
      return declined("approval request failed");
  }
}

function declined(output: string): FileChangeAnswer & { readonly accepted: false } {
  return { accepted: false, status: "declined", output };
}

function filesOf({ changes }: FileChangeRequest): string[] {
  return changes.flatMap(({ files }) => files);
}

/** The keys of an approval for the session: each file, and whether it is written or removed. */
function keysOf({ changes }: FileChangeRequest): string[] {
  return changes.flatMap(({ files: [file, moved], after }) => {
    const isRemoved = after === null || moved !== undefined;
    return [`${isRemoved ? "remove" : "write"} ${file}`, ...(moved === undefined ? [] : [`write ${moved}`])];
  });
}

/**
 * Replaced files and links, which the changes do not show.
 * @param workspace May be behind a link, as its user works there.
 */
function reasonOf({ changes }: FileChangeRequest, workspace: string): string | null {
  const real = realPathOf(workspace);
  const leads = (path: string | null, file: string | undefined) => {
    if (path === null || file === undefined || path === file) return [];
    const isInWorkspace = isWithin(path, workspace) && join(real, relative(workspace, path)) === file;
    return isInWorkspace ? [] : [`${path} leads to ${file}.`];
  };
  const remarks = changes.flatMap(({ type, path, moveTo, files: [file, moved], before, replaced }) => [
    ...(type === "add" && before !== null ? [`${path} is there already and is replaced.`] : []),
    ...(replaced !== null ? [`${moveTo} is there already and is replaced.`] : []),
    ...leads(path, file),
    ...leads(moveTo, moved),
  ]);
  return remarks.length === 0 ? null : remarks.join(" ");
}

function refusal({ type }: SandboxPolicy): string {
  return type === "readOnly" ? "writing is blocked by read-only sandbox" : "writing outside of the project";
}
