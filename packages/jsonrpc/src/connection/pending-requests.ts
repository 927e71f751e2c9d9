import { ConnectionError } from "../message/errors.ts";
import type { RequestId } from "../message/message.ts";
import { type Abortable, AbortWatch } from "./abort-watch.ts";
import { Deadlines, type Expiring } from "./deadlines.ts";

/** A call that waits for its reply. */
class PendingRequest implements Expiring, Abortable {
  readonly #owner: PendingRequests;
  readonly id: number;
  readonly method: string;
  deadline = Number.POSITIVE_INFINITY;
  timeoutMs = 0;
  signal: AbortSignal | undefined;
  resolve!: (result: unknown) => void;
  reject!: (error: unknown) => void;

  constructor(owner: PendingRequests, id: number, method: string) {
    this.#owner = owner;
    this.id = id;
    this.method = method;
  }

  aborted(reason: unknown): void {
    this.#owner.take(this.id)?.reject(reason);
  }
}

/** The calls this side made and has no reply to yet. Ids count up from 0. */
export class PendingRequests {
  readonly #byId = new Map<RequestId, PendingRequest>();
  readonly #deadlines = new Deadlines(this.#byId, (entry) => this.#expire(entry));
  readonly #aborts = new AbortWatch();
  #nextId = 0;

  /** Number of pending requests. */
  get size(): number {
    return this.#byId.size;
  }

  /** Registers a call; `send` is given its id, and what `send` throws rejects it. */
  add(
    method: string,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    send: (id: number) => void,
  ): Promise<unknown> {
    const entry = new PendingRequest(this, this.#nextId++, method);
    const promise = new Promise<unknown>((resolve, reject) => {
      entry.resolve = resolve;
      entry.reject = reject;
    });
    if (this.#byId.size === 0) this.#deadlines.wake();
    this.#byId.set(entry.id, entry);
    if (timeoutMs > 0 && timeoutMs < Number.POSITIVE_INFINITY) {
      entry.timeoutMs = timeoutMs;
      entry.deadline = performance.now() + timeoutMs;
      this.#deadlines.watch(entry);
    }
    if (signal) {
      entry.signal = signal;
      this.#aborts.add(signal, entry);
    }
    try {
      send(entry.id);
    } catch (error) {
      this.take(entry.id)?.reject(error);
    }
    return promise;
  }

  /** Removes and returns the call with this id; `undefined` for a reply that comes too late or to no call at all. */
  take(id: RequestId): { resolve(result: unknown): void; reject(error: unknown): void } | undefined {
    const entry = this.#byId.get(id);
    if (!entry) return undefined;
    this.#byId.delete(id);
    if (this.#byId.size === 0) this.#deadlines.rest();
    if (entry.signal) this.#aborts.remove(entry.signal, entry);
    return entry;
  }

  /** Rejects all that wait. */
  rejectAll(error: unknown): void {
    for (const id of [...this.#byId.keys()]) this.take(id)?.reject(error);
    this.#deadlines.clear();
  }

  #expire(entry: PendingRequest): void {
    this.take(entry.id)?.reject(
      new ConnectionError("timeout", `${entry.method} got no reply within ${entry.timeoutMs} ms`, { mayHaveRun: true }),
    );
  }
}
