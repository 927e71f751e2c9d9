/** Milliseconds as the whole seconds in which the wire counts. */
export const toSeconds = (ms: number): number => Math.floor(ms / 1000);
