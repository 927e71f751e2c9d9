import type { CommandExecutionApprovalDecision, CommandExecutionThreadItem } from "@quire/protocol";
import { quoteCommand } from "../shell/quote.ts";
import { commandActions } from "../tools/command-actions.ts";
import { type ToolContext, ToolFailure } from "../tools/tool.ts";
import { proposeAmendment } from "./amendment.ts";
import { askReviewer } from "./ask.ts";
import { commandsOf } from "./commands.ts";
import type { Limits } from "./grants.ts";
import { judgeCommand, type Wish } from "./judge-command.ts";
import { covers, isEmpty, noPermissions, type Permissions, toProfile } from "./permissions.ts";
import { judgeByRules } from "./rules/judge-rules.ts";

/** A command that a model wants to run. */
export interface CommandRequest {
  readonly callId: string;
  readonly argv: readonly string[];
  /** What the shell in `argv` is to run. */
  readonly script: string;
  readonly cwd: string;
  readonly tty: boolean;
  readonly wish: Wish;
  /** With the wish `more`: what the sandbox shall let through. */
  readonly more?: Permissions | undefined;
  readonly justification: string | null;
  /** A beginning that the model proposes to allow from now on. */
  readonly prefixRule?: readonly string[] | undefined;
  /** Whether a command of these limits can be confined as they say. */
  confinable(limits: Limits): boolean;
}

/** How an approved command runs. */
export interface CommandPlan {
  readonly limits: Limits;
  /** The item, where it was announced already because somebody was asked. */
  readonly announced: CommandExecutionThreadItem | undefined;
}

/**
 * Decides over a command and asks where need be. Throws a {@link ToolFailure} for the model where it must not run; an
 * item that was announced for the question is completed then.
 */
export async function approveCommand(request: CommandRequest, context: ToolContext): Promise<CommandPlan> {
  const { approvals, settings, turnId } = context;
  const more = request.more ?? noPermissions;
  // What was granted before need not be asked for again.
  const granted = request.wish === "more" && covers(approvals.grants.permissions(turnId), more);
  const limits = approvals.grants.limits(settings, turnId, more);
  const commands = commandsOf(request.script, request.argv);
  const rules = judgeByRules(approvals.rules.rules(), commands);
  const verdict = judgeCommand({
    policy: settings.approvalPolicy,
    sandbox: limits.policy.type,
    confinable: request.confinable(limits),
    wish: granted ? "nothing" : request.wish,
    argv: request.argv,
    commands,
    rules,
    justification: request.justification,
  });
  if (verdict.kind === "refuse") throw new ToolFailure(verdict.bare ? verdict.reason : rejected(verdict.reason));
  if (verdict.kind === "run") return { limits: verdict.outside ? unconfined(limits) : limits, announced: undefined };
  const accepted = request.wish === "more" ? limits : unconfined(limits);
  const key = sessionKey(request, commands.exact);
  if (approvals.grants.isApproved(key)) return { limits: accepted, announced: undefined };
  const open = verdict.mayAmend && rules.kind === "none" ? rules.open : [];
  const amendment = proposeAmendment(open, request.prefixRule);
  const announced = await ask({ request, reason: verdict.reason, amendment, key }, context);
  return { limits: accepted, announced };
}

interface Question {
  readonly request: CommandRequest;
  readonly reason: string | null;
  readonly amendment: string[] | null;
  /** Under which an approval for the session is remembered. */
  readonly key: string;
}

async function ask(question: Question, context: ToolContext): Promise<CommandExecutionThreadItem> {
  const item = itemOf(question.request);
  const release = context.hold("waitingOnApproval");
  try {
    context.startItem(item);
    const decision = await decide(question, item, context);
    const end = applyDecision(decision, question, context);
    if (end === undefined) return item;
    context.completeItem({ ...item, status: end.status });
    release();
    if (end.interrupts) context.interrupt("the user cancelled a command");
    context.signal.throwIfAborted();
    throw new ToolFailure(rejected(end.reason));
  } finally {
    release();
  }
}

type Decision = CommandExecutionApprovalDecision | "failed" | "interrupted";

async function decide(question: Question, item: CommandExecutionThreadItem, context: ToolContext): Promise<Decision> {
  const { request, reason, amendment } = question;
  const more = request.wish === "more" && request.more && !isEmpty(request.more) ? request.more : undefined;
  const answer = await askReviewer(context, "item/commandExecution/requestApproval", {
    kind: "command",
    itemId: request.callId,
    startedAtMs: item.startedAtMs ?? Date.now(),
    environmentId: "local",
    ...(reason !== null && { reason }),
    command: item.command,
    cwd: item.cwd,
    commandActions: item.commandActions,
    ...(more && { additionalPermissions: toProfile(more) }),
    ...(amendment && { proposedExecpolicyAmendment: amendment }),
    availableDecisions: [
      "accept",
      ...(amendment && !more ? [{ acceptWithExecpolicyAmendment: { execpolicy_amendment: amendment } }] : []),
      "cancel",
    ],
  });
  // A client may answer anything.
  return answer.kind === "answer" ? (answer.result?.decision ?? "failed") : answer.kind;
}

interface Refusal {
  readonly status: "declined" | "failed";
  readonly reason: string;
  readonly interrupts?: boolean;
}

/** Remembers what a decision is to be remembered for. Gives `undefined` where the command may run. */
function applyDecision(decision: Decision, { key }: Question, { approvals }: ToolContext): Refusal | undefined {
  const declined: Refusal = { status: "declined", reason: "rejected by user" };
  if (typeof decision === "object" && decision !== null) {
    if ("acceptWithExecpolicyAmendment" in decision) {
      const words: unknown = decision.acceptWithExecpolicyAmendment?.execpolicy_amendment;
      if (isWords(words)) return remember(() => approvals.rules.allow(words), approvals.options.warn);
    } else if ("applyNetworkPolicyAmendment" in decision) {
      const { host, action } = decision.applyNetworkPolicyAmendment?.network_policy_amendment ?? {};
      if (typeof host === "string" && (action === "allow" || action === "deny")) {
        remember(() => approvals.rules.setHost(host, action), approvals.options.warn);
        return action === "allow" ? undefined : declined;
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

/** The command was accepted, whether that can be written down or not. */
function remember(write: () => void, warn: (problem: string) => void): undefined {
  try {
    write();
  } catch (error) {
    warn(`the rule could not be stored: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isWords(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");
}

function itemOf({ callId, argv, script, cwd }: CommandRequest): CommandExecutionThreadItem {
  return {
    type: "commandExecution",
    id: callId,
    pluginId: null,
    scriptPath: null,
    command: quoteCommand(argv),
    cwd,
    processId: null,
    source: "agent",
    status: "inProgress",
    commandActions: commandActions(script, cwd),
    aggregatedOutput: null,
    exitCode: null,
    durationMs: null,
    startedAtMs: Date.now(),
  };
}

function sessionKey({ cwd, tty, wish, more }: CommandRequest, exact: readonly (readonly string[])[]): string {
  return JSON.stringify(["command", exact, cwd, tty, wish, more ?? null]);
}

function unconfined({ workspace }: Limits): Limits {
  return { policy: { type: "dangerFullAccess" }, workspace };
}

/** What the model is told of a command that was refused. */
function rejected(reason: string): string {
  return `exec_command failed: CreateProcess { message: ${JSON.stringify(`Rejected(${JSON.stringify(reason)})`)} }`;
}
