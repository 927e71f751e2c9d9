/** Longer timers fire at once. */
const longestMs = 2 ** 31 - 1;

/** Seconds from a user as the delay of a timer. */
export const timerDelay = (seconds: number): number => Math.min(seconds * 1000, longestMs);
