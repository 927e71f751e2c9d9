type Listener = (params: never) => void;

/** Listeners of notifications by method. */
export class NotificationListeners {
  readonly #byMethod = new Map<string, ReadonlySet<Listener>>();

  /** The returned function removes the listener. */
  add(method: string, listener: Listener): () => void {
    this.#byMethod.set(method, new Set([...this.of(method), listener]));
    return () => {
      const rest = new Set(this.of(method));
      rest.delete(listener);
      if (rest.size > 0) this.#byMethod.set(method, rest);
      else this.#byMethod.delete(method);
    };
  }

  /** A snapshot: adding and removing makes another. */
  of(method: string): Iterable<Listener> {
    return this.#byMethod.get(method) ?? [];
  }

  get isEmpty(): boolean {
    return this.#byMethod.size === 0;
  }
}
