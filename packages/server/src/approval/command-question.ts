import type { CommandExecutionApprovalDecision, CommandExecutionThreadItem } from "@quire/protocol";
import { errorMessage } from "../lib/error-message.ts";
import type { CommandAction } from "./action.ts";
import { askGuardian, askUser } from "./ask.ts";
import { isEmpty, type Permissions, toProfile } from "./permissions.ts";
import type { ReviewedAction } from "./reviewer.ts";
import type { ToolContext } from "./tool-context.ts";

/** A question about a command. */
export interface CommandQuestion {
  readonly action: CommandAction;
  readonly reason: string | null;
  /** A rule that would make the question unnecessary next time. */
  readonly amendment: string[] | null;
  /** The key of an approval for the session. */
  readonly key: string;
  /** True when the command would run outside of the sandbox. */
  readonly leaves: boolean;
  /** True when a person has to decide, this once. */
  readonly human?: boolean;
  /** Distinguishes a second question about one item. */
  readonly approvalId?: string;
}

/** The reason why a command must not run, and the end of its item. */
export interface Refusal {
  readonly status: "declined" | "failed";
  readonly reason: string;
  /** True when the turn ends as well. */
  readonly interrupts?: boolean;
  /** Work for after its item has ended. */
  readonly afterwards?: () => void;
}

/** Asks about a command whose item was announced, and stores the decision. Never rejects. */
export async function askAboutCommand(
  question: CommandQuestion,
  item: Pick<CommandExecutionThreadItem, "command" | "commandActions" | "startedAtMs">,
  context: ToolContext,
): Promise<Refusal | undefined> {
  const review = question.human ? undefined : await askGuardian(context, () => actionOf(question, item));
  if (review) return review.approved ? undefined : { ...review, status: "declined" };
  return applyDecision(await decide(question, item, context), question, context);
}

/** A command as a reviewer sees it. */
function actionOf(
  { action, reason, leaves }: CommandQuestion,
  { command }: Parameters<typeof askAboutCommand>[1],
): ReviewedAction {
  const { callId, argv, folder: cwd, tty, escalation, more, justification } = action;
  const planned = {
    tool: "exec_command",
    command: argv,
    cwd,
    tty,
    outside_of_the_sandbox: leaves,
    ...(escalation === "more" && more && { additional_permissions: toProfile(more) }),
    ...(justification !== null && { justification }),
    ...(reason !== null && reason !== justification && { asked_because: reason }),
  };
  return { itemId: callId, shown: { type: "command", source: "unifiedExec", command, cwd }, planned };
}

function moreOf({ escalation, more }: CommandAction): Permissions | undefined {
  return escalation === "more" && more && !isEmpty(more) ? more : undefined;
}

/** The rule that an answer may make. Rules let commands leave the sandbox, so a confined one gets none. */
function offeredAmendment({ action, amendment }: CommandQuestion): string[] | null {
  return moreOf(action) ? null : amendment;
}

type Decision = CommandExecutionApprovalDecision | "failed" | "interrupted";

async function decide(
  question: CommandQuestion,
  item: Parameters<typeof askAboutCommand>[1],
  context: ToolContext,
): Promise<Decision> {
  const { action, reason, approvalId, human } = question;
  const more = moreOf(action);
  const offered = offeredAmendment(question);
  const answer = await askUser(context, "item/commandExecution/requestApproval", {
    kind: human ? "humanCommand" : "command",
    itemId: action.callId,
    ...(approvalId !== undefined && { approvalId }),
    startedAtMs: item.startedAtMs ?? Date.now(),
    environmentId: action.place ?? "local",
    ...(reason !== null && { reason }),
    command: item.command,
    // The real folder.
    cwd: action.folder,
    commandActions: item.commandActions,
    ...(more && { additionalPermissions: toProfile(more) }),
    ...(offered && { proposedExecpolicyAmendment: offered }),
    availableDecisions: human
      ? ["accept", "decline", "cancel"]
      : [
          "accept",
          ...(offered ? [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: offered } }] : []),
          "cancel",
        ],
  });
  // A client may answer anything.
  return answer.kind === "answer" ? (answer.result?.decision ?? "failed") : answer.kind;
}

/** Remembers a decision. Returns `undefined` when the command may run. */
function applyDecision(decision: Decision, question: CommandQuestion, context: ToolContext): Refusal | undefined {
  const { approvals } = context;
  const { key } = question;
  const declined: Refusal = { status: "declined", reason: "rejected by user" };
  const isLasting = decision === "acceptForSession" || (typeof decision === "object" && decision !== null);
  if (question.human && isLasting)
    return { ...declined, reason: "Managed command policy requires a one-time human approval." };
  if (typeof decision === "object" && decision !== null) {
    if ("acceptWithExecpolicyAmendment" in decision) {
      const words: unknown = decision.acceptWithExecpolicyAmendment?.execpolicy_amendment;
      // Only the offered rule: any other was not shown to anybody.
      if (isWords(words) && JSON.stringify(words) === JSON.stringify(offeredAmendment(question))) {
        const allow = () => {
          approvals.rules.allow(words);
          context.remark(`Commands that begin with ${JSON.stringify(words)} are allowed from now on.`);
        };
        return remember(allow, approvals.options.warn);
      }
    }
    return { status: "failed", reason: "approval request failed" };
  }
  switch (decision) {
    case "acceptForSession":
      approvals.grants.approve([key]);
      return undefined;
    case "accept":
      return undefined;
    case "decline":
      return declined;
    case "cancel":
      return { ...declined, interrupts: true };
    case "interrupted":
      return declined;
    default:
      return { status: "failed", reason: "approval request failed" };
  }
}

/** The command is accepted even if the rule cannot be stored. */
function remember(write: () => void, warn: (problem: string) => void): undefined {
  try {
    write();
  } catch (error) {
    warn(`the rule could not be stored: ${errorMessage(error)}`);
  }
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");
}
