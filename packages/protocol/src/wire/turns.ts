import type { Turn, TurnStatus } from "../generated/turn.ts";

/** Every status that a turn can have. */
export const turnStatuses: readonly TurnStatus[] = ["inProgress", "completed", "interrupted", "failed"];

/** The statuses with which a turn ends. */
export type TerminalTurnStatus = Exclude<TurnStatus, "inProgress">;

/** True if a turn with this status has ended. */
export const isTerminalTurnStatus = (status: TurnStatus): status is TerminalTurnStatus => status !== "inProgress";

/** A turn that is over. */
export type EndedTurn = Turn & { status: TerminalTurnStatus };

/** True if the turn has ended. */
export const isEnded = (turn: Turn): turn is EndedTurn => isTerminalTurnStatus(turn.status);
