/** The number of events that are kept for readers that come late or fall behind. */
const mostKept = 10_000;

/** Stands for events that a reader was too slow to see. */
export interface Lagged {
  readonly type: "lagged";
  readonly missed: number;
}

/**
 * Events for any number of readers, each from the first event on. It keeps 10,000; beyond that the older half is dropped,
 * and a reader that had not read it gets `lagged` in its place. No reader holds back another or the writer.
 */
export class EventBuffer<E> {
  #events: E[] = [];
  /** Events that were dropped. */
  #dropped = 0;
  #ended: { readonly failure?: unknown } | undefined;
  #waiting: (() => void)[] = [];

  /** Adds an event. After the end it has no effect. */
  push(event: E): void {
    if (this.#ended) return;
    this.#events.push(event);
    if (this.#events.length > mostKept) {
      const half = mostKept >> 1;
      this.#events = this.#events.slice(half);
      this.#dropped += half;
    }
    this.#wake();
  }

  /** Ends it; readers throw the failure, if there is one, after the last event. */
  end(ended: { readonly failure?: unknown } = {}): void {
    this.#ended ??= ended;
    this.#wake();
  }

  /** Reads from the first event on. */
  async *read(): AsyncGenerator<E | Lagged, undefined> {
    for (let at = 0; ; ) {
      if (at < this.#dropped) {
        yield { type: "lagged", missed: this.#dropped - at };
        at = this.#dropped;
      } else if (at - this.#dropped < this.#events.length) {
        yield this.#events[at - this.#dropped] as E;
        at++;
      } else if (this.#ended) {
        if ("failure" in this.#ended) throw this.#ended.failure;
        return undefined;
      } else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
