import { onAbort } from "./on-abort.ts";

/** Exponential backoff with full jitter: any time between zero and the ceiling, so that many clients do not return at once. */
export function backoffMs(attempt: number, baseMs: number, maxMs: number): number {
  return Math.random() * backoffCeilingMs(attempt, baseMs, maxMs);
}

/** The longest pause before a try: `baseMs`, doubled with each try, at most `maxMs`. */
export function backoffCeilingMs(attempt: number, baseMs: number, maxMs: number): number {
  return Math.min(maxMs, baseMs * 2 ** attempt);
}

/** Waits, or rejects with the reason of the first signal that is aborted. Leaves neither timer nor listener behind. */
export function delay(ms: number, ...given: readonly (AbortSignal | undefined)[]): Promise<void> {
  const signals = given.filter((signal) => signal !== undefined);
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      for (const stop of stops) stop();
      finish();
    };
    const abort = () => settle(() => reject(signals.find(({ aborted }) => aborted)?.reason));
    const timer = setTimeout(() => settle(resolve), ms);
    const stops = signals.map((signal) => onAbort(signal, abort));
    if (signals.some(({ aborted }) => aborted)) abort();
  });
}
