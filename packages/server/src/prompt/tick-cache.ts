/**
 * What was found out since the event loop last went round. Of many turns that begin together every one looks in the same
 * places and comes to the same: the first does it for all.
 */
export class TickCache {
  readonly #known = new Map<string, unknown>();

  /** The result of the work, done at most once a round for each key. What throws is not remembered. */
  get<T>(key: string, work: () => T): T {
    if (this.#known.has(key)) return this.#known.get(key) as T;
    const result = work();
    if (this.#known.size === 0) setImmediate(() => this.#known.clear());
    this.#known.set(key, result);
    return result;
  }
}
