/** The source of time. Tests pass their own, so that they need not wait for deadlines. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Calls `run` once after so many milliseconds; the returned function prevents that. */
  setTimeout(run: () => void, ms: number): () => void;
}

/** A timer holds at most this many milliseconds; later ones fire at once. */
const longestTimer = 2 ** 31 - 1;

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(run, ms) {
    let timer: ReturnType<typeof setTimeout>;
    const arm = (left: number) => {
      const part = Math.min(left, longestTimer);
      timer = setTimeout(() => (left > part ? arm(left - part) : run()), part);
    };
    arm(Math.max(0, ms));
    return () => clearTimeout(timer);
  },
};
