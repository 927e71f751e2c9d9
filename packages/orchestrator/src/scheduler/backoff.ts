/** Pause before an issue that is still active after a good run is looked at again. */
export const continuationMs = 1000;

const firstMs = 10_000;

/** Pause before an attempt that follows a failure: 10 s, 20 s, 40 s, … up to the limit. */
export function backoffMs(attempt: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** Math.max(0, attempt - 1), maxMs);
}
