import type { ThreadItem, ThreadTokenUsage, Turn, TurnPlanStep, TurnStatus } from "@quire/protocol";

/** The result of a turn. */
export interface TurnResult<Output = undefined> {
  /** The turn as the server ended it. */
  readonly turn: Turn;
  /** `completed` or `interrupted`; a failed turn rejects instead. */
  readonly status: TurnStatus;
  /** Every item that completed, in order, each once. */
  readonly items: readonly ThreadItem[];
  /** Text of the last agent message; empty where the agent said nothing. */
  readonly agentMessage: string;
  /** The latest diff of the whole turn; undefined where nothing was changed. */
  readonly diff: string | undefined;
  /** The latest plan. */
  readonly plan: readonly TurnPlanStep[] | undefined;
  /** Tokens of the last model response and of the whole thread. */
  readonly usage: ThreadTokenUsage | undefined;
  /** The value asked for with `output`, parsed and validated. Without it the turn rejects. */
  readonly output: Output;
}
