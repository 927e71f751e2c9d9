/** A timer for longer than this ends at once. */
const longestMs = 2 ** 31 - 1;

/** Seconds that somebody has asked for, as a timer can have them. */
export const timerDelay = (seconds: number): number => Math.min(seconds * 1000, longestMs);
