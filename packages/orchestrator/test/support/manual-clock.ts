import type { Clock } from "@quire/agent/runtime";

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #now = Date.parse("2026-01-01T00:00:00Z");
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  setTimeout(run: () => void, ms: number): () => void {
    const timer = { at: this.#now + ms, run };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Moves on, running what becomes due on the way, each at its time. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
    }
    this.#now = end;
  }
}
