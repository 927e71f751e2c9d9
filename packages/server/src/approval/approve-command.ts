import type { CommandExecutionThreadItem } from "@quire/protocol";
import { looksDenied } from "../sandbox/denial.ts";
import { quoteCommand } from "../shell/quote.ts";
import { commandActions } from "../tools/command-actions.ts";
import { type ToolContext, ToolFailure } from "../tools/tool.ts";
import { proposeAmendment } from "./amendment.ts";
import { holdForUser } from "./ask.ts";
import { askAboutCommand, type CommandQuestion } from "./command-question.ts";
import { commandsOf } from "./commands.ts";
import type { Limits } from "./grants.ts";
import { judgeCommand, type Wish } from "./judge-command.ts";
import { covers, noPermissions, type Permissions } from "./permissions.ts";
import type { Policy } from "./policy.ts";
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
  readonly announced?: CommandExecutionThreadItem;
  /** Asked when it has failed: the limits for another try, or `undefined` to leave it at that. Never rejects. */
  retry?(exitCode: number, output: string): Promise<Limits | undefined>;
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
  if (verdict.kind === "run" && verdict.outside) return { limits: unconfined(limits) };
  const key = sessionKey(request, commands.exact);
  const open = rules.kind === "none" ? rules.open : [];
  if (verdict.kind === "run") {
    const isOnFailure = (settings.approvalPolicy as Policy) === "on-failure" && isConfined(limits);
    if (!isOnFailure) return { limits };
    if (approvals.grants.isApproved(key)) return { limits: unconfined(limits) };
    const question = { request, reason: retryReason, amendment: proposeAmendment(open, request.prefixRule), key };
    return { limits, retry: (exitCode, output) => askForRetry(question, { exitCode, output, limits }, context) };
  }
  const accepted = request.wish === "more" ? limits : unconfined(limits);
  if (approvals.grants.isApproved(key)) return { limits: accepted };
  const amendment = verdict.mayAmend ? proposeAmendment(open, request.prefixRule) : null;
  const { callId, script } = request;
  const permitted = await context.permit?.({ callId, name: "Bash", input: { command: script } });
  if (permitted?.refusal !== undefined) throw new ToolFailure(rejected(permitted.refusal));
  if (permitted?.allows) return { limits: accepted };
  const announced = await ask({ request, reason: verdict.reason, amendment, key }, context);
  return { limits: accepted, announced };
}

const retryReason = "command failed; retry without sandbox?";

interface Attempt {
  readonly exitCode: number;
  readonly output: string;
  readonly limits: Limits;
}

/** A command failed within the sandbox. Where that seems to be the sandbox's doing, asks for another try outside. */
async function askForRetry(
  question: CommandQuestion,
  attempt: Attempt,
  context: ToolContext,
): Promise<Limits | undefined> {
  const { exitCode, output, limits } = attempt;
  if (context.signal.aborted || !looksDenied(exitCode, output)) return undefined;
  const release = holdForUser(context);
  const item = itemOf(question.request);
  const refusal = await askAboutCommand({ ...question, approvalId: Bun.randomUUIDv7() }, item, context);
  release();
  refusal?.afterwards?.();
  if (refusal?.interrupts) context.interrupt("the user cancelled a command");
  return refusal ? undefined : unconfined(limits);
}

async function ask(question: CommandQuestion, context: ToolContext): Promise<CommandExecutionThreadItem> {
  const item = itemOf(question.request);
  const release = holdForUser(context);
  try {
    context.startItem(item);
    const end = await askAboutCommand(question, item, context);
    if (end === undefined) return item;
    context.completeItem({ ...item, status: end.status });
    release();
    end.afterwards?.();
    if (end.interrupts) context.interrupt("the user cancelled a command");
    throw new ToolFailure(context.signal.aborted ? aborted(item) : rejected(end.reason));
  } finally {
    release();
  }
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

function isConfined({ policy: { type } }: Limits): boolean {
  return type === "readOnly" || type === "workspaceWrite";
}

function unconfined({ workspace }: Limits): Limits {
  return { policy: { type: "dangerFullAccess" }, workspace };
}

/** What the model is told of a command whose turn was interrupted while the question waited. */
function aborted({ startedAtMs }: CommandExecutionThreadItem): string {
  const seconds = (Date.now() - (startedAtMs ?? Date.now())) / 1000;
  return `Wall time: ${seconds.toFixed(1)} seconds\naborted by user`;
}

/** What the model is told of a command that was refused. */
function rejected(reason: string): string {
  return `exec_command failed: CreateProcess { message: ${JSON.stringify(`Rejected(${JSON.stringify(reason)})`)} }`;
}
