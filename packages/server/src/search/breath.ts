/** Work at a stretch. A request that comes meanwhile waits no longer. */
const stretchMs = 5;

/** The first stretch: what it brings can be told early. */
const firstMs = 1;

/** Cuts long work into stretches, so that the server answers others meanwhile. */
export class Breath {
  #since = performance.now();
  #stretchMs = firstMs;

  /** Whether it is time to let others in: then await {@link Breath.take}. */
  get due(): boolean {
    return performance.now() - this.#since >= this.#stretchMs;
  }

  async take(): Promise<void> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#since = performance.now();
    this.#stretchMs = stretchMs;
  }
}
