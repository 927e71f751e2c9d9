/** Gives what the work gives, or rejects with the signal's reason as soon as that is aborted. The work itself goes on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody hears of a failure after the abort.
  work.catch(() => {});
  signal.throwIfAborted();
  let listener: (() => void) | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        listener = () => reject(signal.reason);
        signal.addEventListener("abort", listener, { once: true });
      }),
    ]);
  } finally {
    if (listener !== undefined) signal.removeEventListener("abort", listener);
  }
}
