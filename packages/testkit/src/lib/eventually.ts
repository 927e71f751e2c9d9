/** Options of {@link eventually}. */
export interface EventuallyOptions {
  /** Gives up after this many milliseconds. Default 30,000: far above what a busy machine needs, so only a bug reaches it. */
  readonly timeoutMs?: number;
  /** Pause between two attempts, in milliseconds. Default 10. */
  readonly intervalMs?: number;
  /** Name of the condition, for the error message. */
  readonly what?: string;
}

/**
 * Calls `probe` until it does not throw and its result is not `false`, `undefined` or `null`; returns that result.
 * So a probe that only asserts ends with `return true`.
 *
 * Takes the place of a fixed sleep: as fast as the machine allows, and patient where it is slow.
 */
export async function eventually<T>(
  probe: () => T | PromiseLike<T>,
  options: EventuallyOptions = {},
): Promise<Exclude<NonNullable<T>, false>> {
  const { timeoutMs = 30_000, intervalMs = 10, what = "the expected state" } = options;
  const deadline = performance.now() + timeoutMs;
  let lastError: unknown;
  for (;;) {
    try {
      const result = await probe();
      if (result !== false && result !== undefined && result !== null) {
        return result as Exclude<NonNullable<T>, false>;
      }
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) {
      throw new Error(`Waited ${timeoutMs} ms in vain for ${what}`, { cause: lastError });
    }
    await new Promise((resolve) => setTimeout(resolve, intervalMs));
  }
}
