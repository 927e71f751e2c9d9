/** Longest stretch of work, and so the longest wait of a request that comes meanwhile. */
const stretchMs = 5;

/** The first stretch, and the growth of each next one, so that early results are reported early. */
const firstMs = 1;

/** Cuts long work into stretches, so that the server answers others meanwhile. */
export class TimeSlice {
  #since = performance.now();
  #stretchMs = firstMs;

  /** True when it is time to yield: then await {@link TimeSlice.take}. */
  get due(): boolean {
    return performance.now() - this.#since >= this.#stretchMs;
  }

  async take(): Promise<void> {
    // Twice: a request that arrives in between does its work after its reply, and is let in too.
    await new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
    this.#since = performance.now();
    this.#stretchMs = Math.min(this.#stretchMs + firstMs, stretchMs);
  }
}

/** Takes all steps of some work, with others in between. Returns its result. Several works may share a slice. */
export async function runGently<Result>(
  steps: Generator<undefined, Result>,
  slice: TimeSlice = new TimeSlice(),
): Promise<Result> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (slice.due) await slice.take();
  }
}

/** Takes all steps of some work at once. Returns its result. */
export function runAtOnce<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
