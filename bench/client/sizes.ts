/** Pieces of text in the long turn. */
export const deltas = 100_000;
/** Calls of one run, and how many of them wait for their reply at a time. */
export const calls = 100_000;
export const inFlight = 256;
/** Turns on one thread of the real Codex. */
export const wholeTurns = 5;
