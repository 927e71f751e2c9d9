import { errorMessage } from "../../lib/error-message.ts";

/** How long records are gathered. */
const gatherMs = 1000;
/** Records that are sent in one request at most. */
const maxBatch = 512;
/** Records that wait at most; when a collector is gone, the oldest are dropped. */
const maxWaiting = 4096;

/** What a {@link Batch} needs to know. */
export interface BatchOptions<T> {
  /** Brings records to a collector. Rejects where that fails. */
  readonly send: (records: readonly T[]) => Promise<void>;
  /** Hears, once, that records are lost. */
  readonly warn: (problem: string) => void;
}

/** Gathers records of one kind and sends them to a collector. Sends one request at a time. Nothing waits for it. */
export class Batch<T> {
  readonly #options: BatchOptions<T>;
  #waiting: T[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #warned = false;

  constructor(options: BatchOptions<T>) {
    this.#options = options;
  }

  add(record: T): void {
    this.#waiting.push(record);
    if (this.#waiting.length > maxWaiting) this.#waiting.shift();
    if (this.#waiting.length >= maxBatch) void this.flush();
    else this.#timer ??= setTimeout(() => void this.flush(), gatherMs).unref();
  }

  /** Sends what has been gathered. Resolves when a collector has it, or it is lost; never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const records = this.#waiting.splice(0, maxBatch);
      try {
        await this.#options.send(records);
      } catch (error) {
        if (!this.#warned) this.#options.warn(`${errorMessage(error)}; records are dropped`);
        this.#warned = true;
        // The next ones would fare no better; they are tried with what comes.
        return;
      }
    }
  }
}
