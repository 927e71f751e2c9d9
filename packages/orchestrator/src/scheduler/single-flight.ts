/** Runs a job one at a time. Asked for while it runs, it runs once more afterwards, however often it was asked for. */
export class SingleFlight {
  readonly #job: () => Promise<void>;
  #running: Promise<void> | undefined;
  #again = false;

  /** @param job Must not reject. */
  constructor(job: () => Promise<void>) {
    this.#job = job;
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Asks for the job; resolves when it has run from beginning to end since. */
  run(): Promise<void> {
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    this.#running = this.#loop();
    return this.#running;
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #loop(): Promise<void> {
    // Not within the call, which may come from within the job's own steps.
    await Promise.resolve();
    try {
      do {
        this.#again = false;
        await this.#job();
      } while (this.#again);
    } finally {
      this.#running = undefined;
    }
  }
}
