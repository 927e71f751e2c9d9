import { errorMessage } from "../../lib/error-message.ts";

const gatherMs = 1000;
const maxBatch = 512;
/** Waiting records; when a collector is gone, the oldest are dropped. */
const maxWaiting = 4096;

/** Options of a {@link Batch}. */
export interface BatchOptions<T> {
  /** Sends records to a collector. Rejects on failure. */
  readonly send: (records: readonly T[]) => Promise<void>;
  /** Called once when records are lost. */
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

  /** Sends collected records. Resolves when a collector has them, or they are lost; never rejects. */
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
