/** Settles as the work does, or rejects with the signal's reason as soon as that is aborted. The work itself continues. */
export function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    const stop = () => signal.removeEventListener("abort", abort);
    work.then(resolve, reject).then(stop, stop);
  });
}
