/** A time limit that pauses while a user is asked. */
export class PausableTimeout {
  readonly #abort = new AbortController();
  #left: number;
  #pauses = 0;
  #since = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#left = ms;
    this.#run();
  }

  /** Aborted when the time is up. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    clearTimeout(this.#timer);
    this.#left = Math.max(0, this.#left - (performance.now() - this.#since));
  }

  resume(): void {
    if (this.#pauses === 0) return;
    this.#pauses -= 1;
    if (this.#pauses === 0) this.#run();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #run(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#abort.abort(), this.#left);
  }
}
