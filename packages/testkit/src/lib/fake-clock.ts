/** Options of {@link fakeClock}. */
export interface FakeClockOptions {
  /** Milliseconds since 1970 at the start. Default: the first day of 2030. */
  readonly now?: number;
  /** Timers shorter than this fire at once, and their lengths are kept in `waits`. Default 0: none. */
  readonly instantBelowMs?: number;
}

/** A clock that stands still until the test moves it. It has the methods of every `Clock` in Quire's packages. */
export interface FakeClock {
  now(): number;
  /** Sets a timer; the returned function cancels it. */
  setTimeout(run: () => void, ms: number): () => void;
  /** The same, with the arguments the other way round. */
  after(ms: number, run: () => void): () => void;
  /** Always 0.5. */
  random(): number;
  /** Moves on, and fires each timer that becomes due at its time, in order. */
  advance(ms: number): void;
  /** Timers that have neither fired nor been cancelled. */
  readonly pending: number;
  /** The lengths of timers that fired at once; a test may empty it. */
  readonly waits: number[];
}

/** Makes a {@link FakeClock}, so that no test has to wait for a deadline. */
export function fakeClock({ now = Date.UTC(2030, 0, 1), instantBelowMs = 0 }: FakeClockOptions = {}): FakeClock {
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const waits: number[] = [];
  const after = (ms: number, run: () => void): (() => void) => {
    if (ms < instantBelowMs) {
      waits.push(ms);
      queueMicrotask(run);
      return () => {};
    }
    const timer = { at: now + ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => now,
    setTimeout: (run, ms) => after(ms, run),
    after,
    random: () => 0.5,
    advance(ms) {
      const end = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = end;
    },
    get pending() {
      return timers.size;
    },
    waits,
  };
}
