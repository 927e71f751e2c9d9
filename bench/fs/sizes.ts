export const small = 2000;
export const entries = 2000;
export const inFlight = 32;
export const largeMb = 32;
/** Repetitions of a single call; the median counts. */
export const repeats = 5;
