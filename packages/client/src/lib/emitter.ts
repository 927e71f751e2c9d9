/** A listener whose arguments are known only to the event that it is kept under. */
type Listener = (...args: readonly unknown[]) => void;

/** A listener as it was added, and for one occurrence only where `once` says so. */
interface Entry {
  readonly listener: Listener;
  readonly once: boolean;
}

/** A listener of one event. */
export type ListenerOf<Events, E extends keyof Events> = Events[E] extends readonly unknown[]
  ? (...args: Events[E]) => void
  : never;

/**
 * A typed event emitter that runs everywhere and has the interface of Node's `EventEmitter`; there it is one, too. Unlike
 * Node's, a listener that throws keeps neither the others nor the emitter from going on: what it threw is reported to
 * `onListenerError`. An `error` event that nobody listens to is not thrown.
 */
export class Emitter<Events extends { [E in keyof Events]: readonly unknown[] }> {
  /** Replaced, not changed: a listener may add or remove others while it is called. */
  readonly #entries = new Map<keyof Events, readonly Entry[]>();
  #maxListeners = 0;

  /** Listens to an event. */
  on<E extends keyof Events>(event: E, listener: ListenerOf<Events, E>): this {
    return this.#add(event, listener);
  }

  /** Listens to the next occurrence only. */
  once<E extends keyof Events>(event: E, listener: ListenerOf<Events, E>): this {
    return this.#add(event, listener, { once: true });
  }

  /** The same as {@link on}. */
  addListener<E extends keyof Events>(event: E, listener: ListenerOf<Events, E>): this {
    return this.on(event, listener);
  }

  /** Listens to an event before those who listen already. */
  prependListener<E extends keyof Events>(event: E, listener: ListenerOf<Events, E>): this {
    return this.#add(event, listener, { first: true });
  }

  /** Listens to the next occurrence only, before those who listen already. */
  prependOnceListener<E extends keyof Events>(event: E, listener: ListenerOf<Events, E>): this {
    return this.#add(event, listener, { once: true, first: true });
  }

  /** Removes a listener, the latest if it was added more than once; without one, all of the event. */
  off<E extends keyof Events>(event: E, listener?: ListenerOf<Events, E>): this {
    const entries = this.#entries.get(event) ?? [];
    const at = entries.findLastIndex((entry) => entry.listener === (listener as unknown));
    return this.#set(event, listener ? entries.filter((_, index) => index !== at) : []);
  }

  /** The same as {@link off}. */
  removeListener<E extends keyof Events>(event: E, listener: ListenerOf<Events, E>): this {
    return this.off(event, listener);
  }

  /** Removes all listeners of an event, or of all. */
  removeAllListeners(event?: keyof Events): this {
    for (const each of event === undefined ? this.eventNames() : [event]) this.#set(each, []);
    return this;
  }

  /** The listeners of an event, in order. */
  listeners<E extends keyof Events>(event: E): ListenerOf<Events, E>[] {
    return (this.#entries.get(event) ?? []).map(({ listener }) => listener as unknown as ListenerOf<Events, E>);
  }

  /** The same as {@link listeners}. */
  rawListeners<E extends keyof Events>(event: E): ListenerOf<Events, E>[] {
    return this.listeners(event);
  }

  /** The number of listeners: work for an event without any can be skipped. */
  listenerCount(event: keyof Events): number {
    return this.#entries.get(event)?.length ?? 0;
  }

  /** Events that somebody listens to. */
  eventNames(): (keyof Events)[] {
    return [...this.#entries.keys()];
  }

  /** Kept for callers of Node's interface: there is no limit, and nothing warns. */
  setMaxListeners(count: number): this {
    this.#maxListeners = count;
    return this;
  }

  /** The number given to {@link setMaxListeners}; 0 means that there is no limit. */
  getMaxListeners(): number {
    return this.#maxListeners;
  }

  /** Calls the listeners of an event in order; false if there are none. */
  emit<E extends keyof Events>(event: E, ...args: Events[E]): boolean {
    const entries = this.#entries.get(event);
    if (!entries) return false;
    for (const entry of entries) {
      if (entry.once) {
        const left = this.#entries.get(event) ?? [];
        // Another listener may have removed it, or the event may have come again within it.
        if (!left.includes(entry)) continue;
        this.#set(
          event,
          left.filter((each) => each !== entry),
        );
      }
      try {
        entry.listener.apply(this, args as readonly unknown[] as unknown[]);
      } catch (error) {
        this.onListenerError(error, event);
      }
    }
    return true;
  }

  /** Called when a listener was added or removed. */
  protected listenersChanged(): void {}

  /** Tells whether anybody listens to anything. */
  protected get hasListeners(): boolean {
    return this.#entries.size > 0;
  }

  /** Handles a listener's error. Default: writes it to the console. */
  protected onListenerError(error: unknown, event: keyof Events): void {
    console.error(`A listener of ${String(event)} failed:`, error);
  }

  #add(event: keyof Events, listener: unknown, { once = false, first = false } = {}): this {
    const entry = { listener: listener as Listener, once };
    const entries = this.#entries.get(event) ?? [];
    return this.#set(event, first ? [entry, ...entries] : [...entries, entry]);
  }

  #set(event: keyof Events, entries: readonly Entry[]): this {
    if (entries.length > 0) this.#entries.set(event, entries);
    else this.#entries.delete(event);
    this.listenersChanged();
    return this;
  }
}

/** As much of Node as is used here. */
interface NodeProcess {
  getBuiltinModule?(name: "node:events"): { readonly EventEmitter: { readonly prototype: object } } | undefined;
}

// `instanceof EventEmitter` then holds on Node and Bun. Not by an import: a page would carry it.
const { process: node } = globalThis as { readonly process?: NodeProcess };
const events = node?.getBuiltinModule?.("node:events");
if (events) Object.setPrototypeOf(Emitter.prototype, events.EventEmitter.prototype);
