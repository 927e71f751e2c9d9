/** Time as a provider sees it; tests bring their own. */
export interface Clock {
  now(): number;
  /** Calls back once; returns a function that cancels. */
  after(ms: number, callback: () => void): () => void;
  /** From 0 (included) to 1 (excluded), to spread retries. */
  random(): number;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

/** Waits; rejects with the signal's reason as soon as it aborts. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const onAbort = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = clock.after(ms, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

const firstDelayMs = 200;
const longestDelayMs = 30_000;

/** The wait before a retry (1 is the first): doubling, spread by a tenth either way, at most half a minute. */
export function backoffMs(clock: Clock, retry: number): number {
  const spread = 0.9 + clock.random() * 0.2;
  return Math.min(firstDelayMs * 2 ** (retry - 1), longestDelayMs) * spread;
}
