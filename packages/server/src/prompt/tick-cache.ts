/** Results within one tick: turns that begin together read the same files, the first one for all. */
export class TickCache {
  readonly #known = new Map<string, unknown>();

  /** Runs the work at most once a tick for each key. Errors are not cached. */
  get<T>(key: string, work: () => T): T {
    if (this.#known.has(key)) return this.#known.get(key) as T;
    const result = work();
    if (this.#known.size === 0) setImmediate(() => this.#known.clear());
    this.#known.set(key, result);
    return result;
  }
}
