/** Runs work of the same key in order of arrival. Synchronous work costs no promise. */
export class ScopeQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** @param hold True when later work of the key waits for the result, false when only for the start. */
  run<T>(key: string, work: () => T | Promise<T>, hold: boolean): T | Promise<T> {
    const tail = this.#tails.get(key);
    if (tail === undefined) {
      const result = work();
      if (hold && result instanceof Promise) this.#follow(key, result);
      return result;
    }
    const result = tail.then(work, work);
    this.#follow(
      key,
      hold
        ? result
        : tail.then(
            () => undefined,
            () => undefined,
          ),
    );
    return result;
  }

  #follow(key: string, work: Promise<unknown>): void {
    const done = () => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    };
    const tail = work.then(done, done);
    this.#tails.set(key, tail);
  }
}
