import type { Clock } from "@quire/agent/runtime";

/** A clock that stands still until it is told to go on. */
export interface FakeClock extends Clock {
  /** Goes on by so many milliseconds and fires what is due, in order. */
  advance(ms: number): void;
  /** Timers that are set. */
  readonly pending: number;
}

/** Makes a {@link FakeClock}. */
export function fakeClock(start = Date.UTC(2030, 0, 1)): FakeClock {
  let now = start;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    now: () => now,
    setTimeout(run, ms) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
        if (!next) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.run();
      }
      now = until;
    },
    get pending() {
      return timers.size;
    },
  };
}
