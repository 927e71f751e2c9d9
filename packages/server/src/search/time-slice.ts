/** Work at a stretch. A request that comes meanwhile waits no longer. */
const stretchMs = 5;

/** The first stretch, and by how much each is longer than the one before: what the first ones bring can be told early. */
const firstMs = 1;

/** Cuts long work into stretches, so that the server answers others meanwhile. */
export class TimeSlice {
  #since = performance.now();
  #stretchMs = firstMs;

  /** Whether it is time to let others in: then await {@link Breath.take}. */
  get due(): boolean {
    return performance.now() - this.#since >= this.#stretchMs;
  }

  async take(): Promise<void> {
    // Twice: a request that comes in between does its work after its reply, and is let in too.
    await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
    this.#since = performance.now();
    this.#stretchMs = Math.min(this.#stretchMs + firstMs, stretchMs);
  }
}
