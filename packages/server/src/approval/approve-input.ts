import type { CommandExecutionApprovalDecision } from "@quire/protocol";
import { quoteCommand } from "@quire/protocol/shell";
import { isWithin } from "../lib/is-within.ts";
import { type CommandAction, isConfined } from "./action.ts";
import { askGuardian, askUser, holdForUser } from "./ask.ts";
import type { Limits } from "./grants.ts";
import { mayEscalate } from "./judge-command.ts";
import { type ToolContext, ToolFailure } from "./tool-context.ts";

/** Input that a model wants to type into a running command: immutable, so that what is shown is what is written. */
export interface InputAction {
  readonly callId: string;
  readonly processId: string;
  readonly itemId: string;
  readonly command: CommandAction;
  readonly chars: string;
}

/** Makes the record. Half a character would be written as another than is shown, so it is replaced here already. */
export function inputAction(parts: InputAction): InputAction {
  return Object.freeze({ ...parts, chars: Buffer.from(parts.chars).toString() });
}

/** Ctrl-C. It only ends things, so it needs no approval. */
export const interruptKey = "\u0003";

/**
 * Asks before a model types into a command with more rights than the thread's commands have now: input runs with those
 * rights. Under `untrusted` that is every unconfined command. Throws a {@link ToolFailure} when it must not be written.
 * Nothing is remembered: the same characters may mean something else next time.
 */
export async function approveInput(action: InputAction, context: ToolContext): Promise<void> {
  const { callId, chars, command, processId } = action;
  const { approvals, settings, turnId } = context;
  if (chars === "" || chars === interruptKey) return;
  const asksAlways = settings.approvalPolicy === "untrusted" && !isConfined(command.limits);
  if (!asksAlways && covers(approvals.grants.limits(settings, turnId), command.limits)) return;
  if (!mayEscalate(settings.approvalPolicy)) {
    const why = settings.approvalPolicy === "never" ? "set to Never" : "without sandbox approvals";
    throw rejected(`approval required by policy, but AskForApproval is ${why}`);
  }
  const permitted = await context.permit?.({ callId, name: "write_stdin", input: { session_id: processId, chars } });
  if (permitted?.refusal !== undefined) throw rejected(permitted.refusal);
  if (permitted?.allows !== true) await ask(action, context);
}

/** True when the first limits allow everything that the others do. */
function covers(given: Limits, wanted: Limits): boolean {
  if (!isConfined(given)) return true;
  if (!isConfined(wanted)) return false;
  const reaches = ({ policy }: Limits) => "networkAccess" in policy && policy.networkAccess === true;
  if (reaches(wanted) && !reaches(given)) return false;
  const folders = rootsOf(given);
  return rootsOf(wanted).every((path) => folders.some((folder) => isWithin(path, folder)));
}

function rootsOf({ policy, workspace }: Limits): string[] {
  if (policy.type !== "workspaceWrite") return [];
  const temporary = [
    ...(policy.excludeSlashTmp ? [] : ["/tmp"]),
    // Stands for wherever that is: the same in both limits.
    ...(policy.excludeTmpdirEnvVar ? [] : ["/$TMPDIR"]),
  ];
  return [...workspace, ...(policy.writableRoots ?? []), ...temporary];
}

async function ask(action: InputAction, context: ToolContext): Promise<void> {
  const { callId, chars, command, itemId, processId } = action;
  const { argv, folder: cwd, limits, place, tty } = command;
  const review = await askGuardian(context, () => ({
    itemId,
    shown: { type: "writeStdin", approvalId: callId, cwd, processId, stdin: chars },
    planned: {
      tool: "write_stdin",
      session_id: processId,
      chars,
      command: argv,
      cwd,
      tty,
      outside_of_the_sandbox: !isConfined(limits),
    },
  }));
  if (review) {
    if (review.approved) return;
    review.afterwards();
    throw rejected(review.reason);
  }
  const line = quoteCommand(["write_stdin", "--session-id", processId, chars]);
  const where = isConfined(limits) ? "with more rights than this thread has now" : "outside of the sandbox";
  const startedAtMs = Date.now();
  const release = holdForUser(context);
  const answer = await askUser(context, "item/commandExecution/requestApproval", {
    kind: "writeStdin",
    itemId,
    approvalId: callId,
    startedAtMs,
    environmentId: place ?? "local",
    reason: `Type into a program that runs ${where}. It was started by: ${quoteCommand(argv)}`,
    command: line,
    cwd,
    commandActions: [{ type: "unknown", command: line }],
    availableDecisions: ["accept", "cancel"],
  });
  release();
  const decision = answer.kind === "answer" ? answer.result?.decision : undefined;
  if (isAccepted(decision)) return;
  if (decision === "cancel") context.interrupt("the user cancelled input for a command");
  if (context.signal.aborted)
    throw new ToolFailure(`aborted by user after ${((Date.now() - startedAtMs) / 1000).toFixed(1)}s`);
  throw rejected(decision === "decline" ? "rejected by user" : "approval request failed");
}

/** An approval for the session is not offered; it counts for this input. */
function isAccepted(decision: CommandExecutionApprovalDecision | undefined): boolean {
  return decision === "accept" || decision === "acceptForSession";
}

function rejected(reason: string): ToolFailure {
  return new ToolFailure(`write_stdin rejected: ${reason}`);
}
