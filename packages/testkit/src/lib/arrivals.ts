/** A list that grows, on which tests wait for what is to come. */
export class Arrivals<T> {
  readonly all: T[] = [];
  readonly #onArrival = new Set<() => void>();

  /** Adds an element and settles those who wait for it. */
  add(element: T): void {
    this.all.push(element);
    for (const look of [...this.#onArrival]) look();
  }

  /**
   * Returns the result of `find`, now or once it has arrived. Rejects after `timeoutMs` (default 30,000) with a
   * message that `complain` makes.
   */
  waitFor(
    find: (all: readonly T[]) => T | undefined,
    complain: () => string,
    options: { readonly timeoutMs?: number } = {},
  ): Promise<T> {
    const { timeoutMs = 30_000 } = options;
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        this.#onArrival.delete(look);
      };
      const look = () => {
        const found = find(this.all);
        if (found === undefined) return;
        stop();
        resolve(found);
      };
      const timer = setTimeout(() => {
        stop();
        reject(new Error(`Waited ${timeoutMs} ms in vain: ${complain()}`));
      }, timeoutMs);
      this.#onArrival.add(look);
      look();
    });
  }
}
