import type { CommandExecutionThreadItem } from "@quire/protocol";
import { addWritableFolders } from "../run/process/writable-folders.ts";
import { looksDenied } from "../run/sandbox/denial.ts";
import { actionItem, actionKey, agreedTo, type CommandAction, isConfined, outsideSandbox } from "./action.ts";
import { proposeAmendment } from "./amendment.ts";
import type { ApprovalOptions } from "./approvals.ts";
import { holdForUser } from "./ask.ts";
import { askAboutCommand, type CommandQuestion } from "./command-question.ts";
import { type Commands, commandsOf } from "./commands.ts";
import type { Limits } from "./grants.ts";
import { groundOf, judgeCommand } from "./judge-command.ts";
import { covers, noPermissions } from "./permissions.ts";
import type { Policy } from "./policy.ts";
import { foreignPrograms, programsOf, vet, withPrograms } from "./programs/vet-programs.ts";
import { judgeByRules } from "./rules/judge-rules.ts";
import { type ToolContext, ToolFailure } from "./tool-context.ts";

/** A command that a model wants to run. */
export interface CommandRequest {
  readonly action: CommandAction;
  /** True when a command of these limits can be confined. */
  confinable(limits: Limits): boolean;
}

/** The way in which an approved command runs. */
export interface CommandPlan {
  /** The requested action, or the same outside of the sandbox. */
  readonly action: CommandAction;
  /** The item, if it was announced already for a question. */
  readonly announced?: CommandExecutionThreadItem;
  /** Called after a failure: returns the next attempt, or `undefined` to give up. Never rejects. */
  retry?(exitCode: number, output: string): Promise<CommandAction | undefined>;
}

/**
 * Decides about a command and asks if necessary. Throws a {@link ToolFailure} for the model when it must not run, after
 * completing an item that was announced for the question.
 */
export async function approveCommand(
  { action, confinable }: CommandRequest,
  context: ToolContext,
): Promise<CommandPlan> {
  const { approvals, settings, turnId } = context;
  const { argv, callId, justification, limits, prefixRule, script, escalation } = action;
  // Permissions granted before need no new question.
  const granted = escalation === "more" && covers(approvals.grants.permissions(turnId), action.more ?? noPermissions);
  const commands = commandsOf(script, argv);
  const rules = judgeByRules(approvals.rules.rules(), commands);
  const given = {
    policy: settings.approvalPolicy,
    sandbox: limits.policy.type,
    confinable: confinable(limits),
    escalation: granted ? "nothing" : escalation,
    argv,
    commands,
    rules,
    justification,
  } as const;
  addWritableFolders(limits);
  const { options } = approvals;
  const ground = action.place === null ? groundOf(given) : undefined;
  const vetted = ground === undefined ? action : vet({ action, commands, ground }, await programsOf(action, options));
  const verdict = judgeCommand({ ...given, vetted: vetted !== undefined });
  if (verdict.kind === "refuse") throw new ToolFailure(verdict.bare ? verdict.reason : rejected(verdict.reason));
  if (verdict.kind === "run" && verdict.outside) return { action: outsideSandbox(vetted ?? action) };
  const isOnFailure = (settings.approvalPolicy as Policy) === "on-failure" && isConfined(limits);
  if (verdict.kind === "run" && !isOnFailure) return { action: vetted ?? action };
  const { known, foreign } = await describe(action, commands, options);
  // A question is about the sandbox only where the model asked to leave it, or where there is none.
  const leaves = escalation === "escalated" || !given.confinable || verdict.kind === "run";
  const accepted = leaves ? outsideSandbox(known) : agreedTo(known);
  const key = actionKey(accepted);
  const human = verdict.kind === "ask" && verdict.human === true;
  if (human && approvals.options.required?.()?.reviewers?.includes("user") === false)
    throw new ToolFailure(
      rejected("Managed command policy requires human approval, but this session requires automatic review."),
    );
  const isSame = async () => actionKey((await describe(action, commands, options)).known) === actionKey(known);
  // What a user agreed to under this policy may do more than the sandbox lets it; nobody is asked twice about it.
  const mayLeave = settings.approvalPolicy === "untrusted" && isConfined(limits) && !leaves && !human;
  const outsideNext = async (exitCode: number, output: string) =>
    !context.signal.aborted && looksDenied(exitCode, output) && (await isSame()) ? outsideSandbox(known) : undefined;
  const agreed = { action: accepted, ...(mayLeave && { retry: outsideNext }) };
  if (!human && approvals.grants.isApproved(key)) return agreed;
  const open = rules.kind === "none" && foreign === null ? rules.open : [];
  const asked = { action: known, amendment: proposeAmendment(open, prefixRule), key, leaves };
  if (verdict.kind === "run") {
    const again = () => describe(action, commands, options);
    return { action: known, retry: (exitCode, output) => askForRetry(asked, { exitCode, output, again }, context) };
  }
  const permitted = await context.permit?.({ callId, name: "Bash", input: { command: script } });
  if (permitted?.refusal !== undefined) throw new ToolFailure(rejected(permitted.refusal));
  // A hook sees the words, not the programs behind them.
  if (permitted?.allows && foreign === null && !human) return agreed;
  const amendable = !verdict.mayAmend && { amendment: null };
  const byPerson = human && { human, approvalId: crypto.randomUUID() };
  const question = { ...asked, reason: joined(verdict.reason, foreign), ...amendable, ...byPerson };
  const announced = await ask(question, context);
  if (await isSame()) return { ...agreed, announced };
  context.completeItem({ ...announced, status: "failed" });
  throw new ToolFailure(rejected("a program of the command was replaced while the user was asked; ask again"));
}

/** A command with its programs, and facts about them for a person. */
async function describe(
  action: CommandAction,
  commands: Commands,
  options: ApprovalOptions,
): Promise<{ readonly known: CommandAction; readonly foreign: string | null }> {
  if (action.place !== null) return { known: action, foreign: null };
  const programs = await programsOf(action, options);
  return { known: withPrograms(action, commands, programs), foreign: foreignPrograms(commands, programs) };
}

function joined(reason: string | null, foreign: string | null): string | null {
  return reason === null || foreign === null ? (reason ?? foreign) : `${reason}; ${foreign}`;
}

const retryReason = "command failed; retry without sandbox?";

interface Attempt {
  readonly exitCode: number;
  readonly output: string;
  /** Looks the programs up again: the first attempt may have replaced them. */
  again(): ReturnType<typeof describe>;
}

/** Asks to retry outside of the sandbox a command that seems to have failed because of it. */
async function askForRetry(
  { action: first, amendment }: Omit<CommandQuestion, "reason">,
  { exitCode, output, again }: Attempt,
  context: ToolContext,
): Promise<CommandAction | undefined> {
  if (context.signal.aborted || !looksDenied(exitCode, output)) return undefined;
  const release = holdForUser(context);
  const { known, foreign } = await again();
  const question = {
    action: known,
    reason: joined(retryReason, foreign),
    // A rule was proposed for the programs that there were.
    amendment: actionKey(known) === actionKey(first) ? amendment : null,
    key: actionKey(outsideSandbox(known)),
    leaves: true,
    approvalId: Bun.randomUUIDv7(),
  };
  const refusal = await askAboutCommand(question, actionItem(known), context);
  release();
  refusal?.afterwards?.();
  if (refusal?.interrupts) context.interrupt("the user cancelled a command");
  if (refusal || actionKey((await again()).known) !== actionKey(known)) return undefined;
  return outsideSandbox(known);
}

async function ask(question: CommandQuestion, context: ToolContext): Promise<CommandExecutionThreadItem> {
  const item = actionItem(question.action);
  const release = question.human ? context.hold("waitingOnApproval") : holdForUser(context);
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

/** The output for the model when the turn was interrupted during the question. */
function aborted({ startedAtMs }: CommandExecutionThreadItem): string {
  const seconds = (Date.now() - (startedAtMs ?? Date.now())) / 1000;
  return `Wall time: ${seconds.toFixed(1)} seconds\naborted by user`;
}

/** The output for the model when the command was refused. */
function rejected(reason: string): string {
  return `exec_command failed: CreateProcess { message: ${JSON.stringify(`Rejected(${JSON.stringify(reason)})`)} }`;
}
