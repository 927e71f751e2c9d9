import assert from "node:assert/strict";

/** Watches this process's memory while something happens. */
export class PeakMemory implements Disposable {
  readonly #before: number;
  readonly #timer: ReturnType<typeof setInterval>;
  #peak: number;

  constructor() {
    Bun.gc(true);
    this.#before = process.memoryUsage.rss();
    this.#peak = this.#before;
    this.#timer = setInterval(() => this.#look(), 20);
  }

  /** Fails if it has grown by more, in MB. Model, client and server are all in this process. */
  atMost(megabytes: number): void {
    this.#look();
    const grown = (this.#peak - this.#before) / 2 ** 20;
    assert.ok(grown <= megabytes, `the process grew by ${grown.toFixed(0)} MB, more than ${megabytes}`);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    this.#peak = Math.max(this.#peak, process.memoryUsage.rss());
  }
}
