import type { TokenUsage } from "@quire/client/guards";
import type { TurnPlanStep } from "@quire/protocol";
import type { RunContext } from "../events/run-context.ts";
import type { Budget } from "../limits/budget.ts";
import type { BudgetTracker } from "../limits/budget-tracker.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { Session } from "../session/session.ts";
import type { Heartbeat } from "../tool/tool-context.ts";
import type { TranscriptEntry } from "../transcript/transcript-entry.ts";
import type { AgentModelConfig } from "./model-config.ts";

/** The output of a prompt's evaluation, or null for a prompt without one. */
export type OutputOf<Output> = [Output] extends [undefined] ? null : Output;

/** The result of an evaluation. */
export interface Evaluation<Output = null> {
  readonly promptName: string;
  /** The model's last message; null when there is none. */
  readonly text: string | null;
  /** The value that the prompt asked for; null for a prompt that asks for none. */
  readonly output: Output;
  /** Tokens of the whole evaluation, however many turns it took; null where the server did not tell. */
  readonly usage: TokenUsage | null;
  /** US dollars; null where the agent has no prices for the model, or the server reported no usage. */
  readonly cost: number | null;
  /** Names it in budget trackers. */
  readonly evaluationId: string;
  /** The thread on the server: the next evaluation can continue or fork it. */
  readonly threadId: string;
  /** Stands for the tools that the thread was started with. */
  readonly toolsFingerprint: string;
  /** Its turns: more than one where a completion checker sent the model back to work. */
  readonly turnIds: readonly string[];
  /** The changes of the last turn, as a diff; null where there were none. */
  readonly diff: string | null;
  /** The plan as it was at the end; null where there was none. */
  readonly plan: readonly TurnPlanStep[] | null;
  /** The transcript, at most 10,000 entries; empty when it is off. */
  readonly transcript: readonly TranscriptEntry[];
}

/** A thread to continue: an evaluation's, or any by its id. */
export type ThreadSource = string | Pick<Evaluation<unknown>, "threadId" | "toolsFingerprint">;

/** Options of one evaluation. */
export interface EvaluateOptions {
  /** The session for its events and the state of its tools. Default: a new one. */
  readonly session?: Session | undefined;
  /** When it must have ended. Default: the budget's. */
  readonly deadline?: Deadline | undefined;
  readonly budget?: Budget | undefined;
  /** Counts for a budget that several evaluations share. Its budget goes before `budget`. */
  readonly budgetTracker?: BudgetTracker | undefined;
  /** Aborting interrupts the turn, and rejects with the signal's reason when it has ended. */
  readonly signal?: AbortSignal | undefined;
  readonly heartbeat?: Heartbeat | undefined;
  readonly runContext?: RunContext | undefined;
  /** Goes on with this thread: its model knows what was said there. The prompt must have the same tools. */
  readonly resume?: ThreadSource | undefined;
  /** Goes on with a copy of this thread, which itself stays as it is. The prompt must have the same tools. */
  readonly fork?: ThreadSource | undefined;
  /** Another model for this evaluation. */
  readonly model?: AgentModelConfig | undefined;
  /** Hears of the transcript as it is written. */
  readonly onTranscript?: ((entry: TranscriptEntry) => void) | undefined;
}
