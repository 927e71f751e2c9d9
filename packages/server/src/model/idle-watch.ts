import type { Clock } from "./clock.ts";

/** Fires when nothing has come for a while. One timer serves a whole stream. The caller stops it. */
export class IdleWatch {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #onIdle: () => void;
  #lastSign: number;
  #held = false;
  #cancel: () => void;

  constructor(clock: Clock, limitMs: number, onIdle: () => void) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#onIdle = onIdle;
    this.#lastSign = clock.now();
    this.#cancel = clock.after(limitMs, () => this.#check());
  }

  touch(): void {
    this.#lastSign = this.#clock.now();
  }

  /** Pauses the watch until {@link IdleWatch.resume}. */
  hold(): void {
    this.#held = true;
  }

  resume(): void {
    this.#held = false;
    this.touch();
  }

  stop(): void {
    this.#cancel();
  }

  #check(): void {
    const idle = this.#held ? 0 : this.#clock.now() - this.#lastSign;
    // Timers may fire a little early; a millisecond more or less is no matter here.
    if (idle + 1 >= this.#limitMs) this.#onIdle();
    else this.#cancel = this.#clock.after(this.#limitMs - idle, () => this.#check());
  }
}
