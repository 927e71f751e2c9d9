import type { Clock } from "../../src/model/clock.ts";

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that a test moves. Waits shorter than `eagerBelowMs` are over at once, and their lengths remembered. */
export class TestClock implements Clock {
  readonly waits: number[] = [];
  readonly #timers = new Set<Timer>();
  readonly #eagerBelowMs: number;
  #now = 0;

  constructor(eagerBelowMs = 0) {
    this.#eagerBelowMs = eagerBelowMs;
  }

  now(): number {
    return this.#now;
  }

  random(): number {
    return 0.5;
  }

  after(ms: number, callback: () => void): () => void {
    if (ms < this.#eagerBelowMs) {
      this.waits.push(ms);
      queueMicrotask(callback);
      return () => {};
    }
    const timer = { at: this.#now + ms, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that have neither fired nor been cancelled. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Lets so much time pass. */
  advance(ms: number): void {
    this.#now += ms;
    for (const timer of [...this.#timers]) {
      if (timer.at > this.#now || !this.#timers.delete(timer)) continue;
      timer.callback();
    }
  }
}
