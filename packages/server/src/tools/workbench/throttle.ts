import { type Clock, systemClock } from "../../model/clock.ts";

/** Runs at once before runs are spread over time. */
const burst = 16;
/** Time between two runs after that. */
const spacingMs = 250;

/**
 * Runs something as often as it is asked for, but at most a few times a second once that was often. The last request is
 * never lost: it runs when the time has come, or with {@link Throttle.finish}.
 */
export class Throttle {
  readonly #run: () => void;
  readonly #clock: Clock;
  #tokens = burst;
  #countedAt: number;
  #cancel: (() => void) | undefined;

  constructor(run: () => void, clock: Clock = systemClock) {
    this.#run = run;
    this.#clock = clock;
    this.#countedAt = clock.now();
  }

  ask(): void {
    if (this.#cancel) return;
    const now = this.#clock.now();
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#countedAt) / spacingMs);
    this.#countedAt = now;
    if (this.#tokens >= 1) {
      this.#tokens--;
      this.#run();
    } else this.#cancel = this.#clock.after(spacingMs, () => this.finish());
  }

  /** Runs now if a request still waits. */
  finish(): void {
    if (!this.#cancel) return;
    this.#cancel();
    this.#cancel = undefined;
    this.#tokens = 0;
    this.#countedAt = this.#clock.now();
    this.#run();
  }
}
