/** A listener whose arguments are known only to the event that it is kept under. */
type Listener = (...args: readonly unknown[]) => void;

/**
 * A typed event emitter that runs everywhere. A listener that throws does not keep the others, or the emitter, from
 * going on: what it threw is reported to `onListenerError`.
 */
export class Emitter<Events extends { [E in keyof Events]: readonly unknown[] }> {
  /** Replaced, not changed: a listener may add or remove others while it is called. */
  readonly #listeners = new Map<keyof Events, readonly Listener[]>();

  /** Listens to an event. */
  on<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener as unknown as Listener]);
    this.listenersChanged();
    return this;
  }

  /** Listens to the next occurrence only. */
  once<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): this {
    const wrapped = (...args: Events[E]) => {
      this.off(event, wrapped);
      listener(...args);
    };
    return this.on(event, wrapped);
  }

  /** Removes a listener; without one, all of the event. */
  off<E extends keyof Events>(event: E, listener?: (...args: Events[E]) => void): this {
    const rest = listener ? (this.#listeners.get(event) ?? []).filter((other) => other !== (listener as unknown)) : [];
    if (rest.length > 0) this.#listeners.set(event, rest);
    else this.#listeners.delete(event);
    this.listenersChanged();
    return this;
  }

  /** The number of listeners: work for an event without any can be skipped. */
  listenerCount(event: keyof Events): number {
    return this.#listeners.get(event)?.length ?? 0;
  }

  /** Events that somebody listens to. */
  protected get events(): readonly (keyof Events)[] {
    return [...this.#listeners.keys()];
  }

  /** Called when a listener was added or removed. */
  protected listenersChanged(): void {}

  /** Tells whether anybody listens to anything. */
  protected get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Calls the listeners of an event in order. */
  protected emit<E extends keyof Events>(event: E, ...args: Events[E]): boolean {
    const listeners = this.#listeners.get(event);
    if (!listeners) return false;
    for (const listener of listeners) {
      try {
        listener(...args);
      } catch (error) {
        this.onListenerError(error, event);
      }
    }
    return true;
  }

  /** Handles a listener's error. Default: writes it to the console. */
  protected onListenerError(error: unknown, event: keyof Events): void {
    console.error(`A listener of ${String(event)} failed:`, error);
  }
}
