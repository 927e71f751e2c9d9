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
  /** Milliseconds that went by since the start: only `advance` moves it. */
  elapsed(): number;
  /** Sets the time of day, as a person or a time server does. Timers do not care. */
  set(now: number): void;
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
  let elapsed = 0;
  const after = (ms: number, run: () => void): (() => void) => {
    if (ms < instantBelowMs) {
      waits.push(ms);
      queueMicrotask(run);
      return () => {};
    }
    const timer = { at: elapsed + ms, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => now,
    elapsed: () => elapsed,
    set: (time) => {
      now = time;
    },
    setTimeout: (run, ms) => after(ms, run),
    after,
    random: () => 0.5,
    advance(ms) {
      const end = elapsed + ms;
      const pass = (to: number) => {
        now += to - elapsed;
        elapsed = to;
      };
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        pass(Math.max(elapsed, next.at));
        next.run();
      }
      pass(end);
    },
    get pending() {
      return timers.size;
    },
    waits,
  };
}
