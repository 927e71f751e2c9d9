/** Something that an abort signal can end. */
export interface Abortable {
  aborted(reason: unknown): void;
}

/**
 * Many entries, one listener per signal. A signal is often shared by everything that belongs to one task, and a listener
 * for each call would make Node warn of a leak from the eleventh on.
 */
export class AbortWatch {
  readonly #watched = new Map<AbortSignal, { readonly entries: Set<Abortable>; readonly listener: () => void }>();

  /** Tells the entry when the signal aborts. The caller takes it off again once it is settled. */
  add(signal: AbortSignal, entry: Abortable): void {
    const watched = this.#watched.get(signal);
    if (watched) {
      watched.entries.add(entry);
      return;
    }
    const entries = new Set([entry]);
    const listener = () => {
      this.#watched.delete(signal);
      for (const each of entries) each.aborted(signal.reason);
    };
    this.#watched.set(signal, { entries, listener });
    signal.addEventListener("abort", listener, { once: true });
  }

  /** Forgets an entry; with the last one the signal is released too. */
  remove(signal: AbortSignal, entry: Abortable): void {
    const watched = this.#watched.get(signal);
    if (!watched?.entries.delete(entry) || watched.entries.size > 0) return;
    this.#watched.delete(signal);
    signal.removeEventListener("abort", watched.listener);
  }
}
