interface Waiting<T> {
  resolve(result: IteratorResult<T, undefined>): void;
  reject(error: unknown): void;
}

const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * The reading end of something that arrives by itself. It stores nothing: `take` gives what is there, and decides what is
 * kept, merged or dropped while nobody reads.
 *
 * Written out instead of as a generator, whose `return()` would wait for a `next()` that may never come.
 */
export abstract class Feed<T> implements AsyncIterator<T, undefined>, AsyncIterable<T> {
  readonly #waiting: Waiting<T>[] = [];
  #ended = false;
  #returned = false;
  #failure: { readonly error: unknown } | undefined;

  /** Gives the next element, or `undefined` when there is none yet. */
  protected abstract take(): T | undefined;

  /** Frees what feeds it. Called once: when the reader stops, or at the end. */
  protected abstract release(): void;

  /** Tells whether nothing more will come. */
  protected get ended(): boolean {
    return this.#ended;
  }

  /** Says that `take` may have something. */
  protected wake(): void {
    while (this.#waiting.length > 0) {
      const value = this.take();
      if (value === undefined) return;
      this.#waiting.shift()?.resolve({ done: false, value });
    }
  }

  /** Nothing more will come; what is there can still be read, then the error is thrown if one is given. */
  protected finish(failure?: { readonly error: unknown }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#failure = failure;
    this.release();
    this.wake();
    for (const reader of this.#waiting.splice(0)) {
      if (this.#failure) reader.reject(this.#failure.error);
      else reader.resolve(done);
      this.#failure = undefined;
    }
  }

  next(): Promise<IteratorResult<T, undefined>> {
    const value = this.#returned ? undefined : this.take();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (!this.#ended) return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
    const failure = this.#failure;
    this.#failure = undefined;
    return failure ? Promise.reject(failure.error) : Promise.resolve(done);
  }

  /** Stops reading. */
  return(): Promise<IteratorResult<T, undefined>> {
    this.#returned = true;
    this.#failure = undefined;
    this.finish();
    return Promise.resolve(done);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
