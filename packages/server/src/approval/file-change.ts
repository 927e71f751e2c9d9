import type { SandboxPolicy } from "@quire/protocol";
import { type ToolContext, ToolFailure } from "../tools/tool.ts";
import { askGuardian, askUser } from "./ask.ts";
import { mayAskToLeave } from "./judge-command.ts";
import { areWritable } from "./writable.ts";

/** Changes of files that a model wants to make. */
export interface FileChangeRequest {
  readonly callId: string;
  /** Every file that is written, moved or deleted, and where it is moved to. Absolute. */
  readonly paths: readonly string[];
  readonly cwd: string;
  /** Why, for the user. */
  readonly reason?: string | null | undefined;
  /** The patch itself, for a reviewer. */
  readonly patch?: string | undefined;
}

/** What came of asking. A change that is not accepted ends its item so, and the model is told so. */
export type FileChangeAnswer =
  | { readonly accepted: true }
  | {
      readonly accepted: false;
      readonly status: "declined" | "failed";
      readonly tell: string;
      /** What there is to do once the item has ended. */
      readonly afterwards?: () => void;
    };

/** Whether changes may be made without asking. Throws a {@link ToolFailure} where they may not be made at all. */
export function judgeFileChange(request: FileChangeRequest, context: ToolContext): "apply" | "ask" {
  const { approvals, settings, turnId } = context;
  if (request.paths.every((path) => approvals.grants.isApproved(sessionKey(path)))) return "apply";
  if (settings.approvalPolicy === "untrusted") return "ask";
  const limits = approvals.grants.limits(settings, turnId);
  if (areWritable(request.paths, limits, approvals.options)) return "apply";
  if (mayAskToLeave(settings.approvalPolicy)) return "ask";
  throw new ToolFailure(`patch rejected: ${refusal(limits.policy)}; rejected by user approval settings`);
}

/** Asks about changes whose item has been announced. Never rejects. */
export async function askFileChange(request: FileChangeRequest, context: ToolContext): Promise<FileChangeAnswer> {
  const { callId, cwd, paths, patch } = request;
  const review = await askGuardian(context, () => ({
    itemId: callId,
    shown: { type: "applyPatch", cwd, files: [...paths] },
    planned: { tool: "apply_patch", cwd, files: paths, patch },
  }));
  if (review)
    return review.approved ? { accepted: true } : { ...declined(review.reason), afterwards: review.afterwards };
  const release = context.hold("waitingOnApproval");
  const answer = await askUser(context, "item/fileChange/requestApproval", {
    itemId: request.callId,
    startedAtMs: Date.now(),
    reason: request.reason ?? null,
    grantRoot: null,
  });
  release();
  if (answer.kind === "interrupted") return declined("aborted by user");
  switch (answer.kind === "answer" ? answer.result?.decision : undefined) {
    case "acceptForSession":
      context.approvals.grants.approve(request.paths.map(sessionKey));
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

function declined(tell: string): FileChangeAnswer & { readonly accepted: false } {
  return { accepted: false, status: "declined", tell };
}

function sessionKey(path: string): string {
  return `file ${path}`;
}

function refusal({ type }: SandboxPolicy): string {
  return type === "readOnly" ? "writing is blocked by read-only sandbox" : "writing outside of the project";
}
