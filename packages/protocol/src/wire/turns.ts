import type { Turn, TurnStatus } from "../generated/turn.ts";

/** Every status that a turn can have. */
export const turnStatuses: readonly TurnStatus[] = ["inProgress", "completed", "interrupted", "failed"];

/** The statuses with which a turn ends. */
export type TerminalTurnStatus = Exclude<TurnStatus, "inProgress">;

/** Whether a turn with this status is over. */
export const isTerminalTurnStatus = (status: TurnStatus): status is TerminalTurnStatus => status !== "inProgress";

/** A turn that is over. */
export type EndedTurn = Turn & { status: TerminalTurnStatus };

/** Whether a turn is over. */
export const isEnded = (turn: Turn): turn is EndedTurn => isTerminalTurnStatus(turn.status);
