import type { NotificationMessage } from "../message/message.ts";
import { macrotask } from "../transport/macrotask.ts";
import type { Transport } from "../transport/transport.ts";
import type { ConnectionOptions, NotificationHandler } from "./connection-options.ts";

/**
 * Notifications delivered between two turns of the event loop. Code that consumes them through promises runs only
 * then: some runtimes continue reading from a pipe before that, and a consumer that is quick enough would fall behind. A
 * consumer that keeps a bounded number of them must keep more than this.
 */
const maxBurst = 4096;

interface Entry {
  readonly listener: NotificationHandler;
}

/** Hands incoming notifications to their listeners, and holds the transport back while too many are still busy. */
export class NotificationDispatch {
  readonly #transport: Transport;
  readonly #fallback: ConnectionOptions["onNotification"];
  readonly #report: (error: unknown, method: string) => void;
  readonly #max: number;
  /** Replaced, not changed: a listener may remove itself while it is called. */
  readonly #listeners = new Map<string, readonly Entry[]>();
  #busy = 0;
  #burst = 0;
  #resting = false;
  #paused = false;

  constructor(transport: Transport, options: ConnectionOptions, report: (error: unknown, method: string) => void) {
    this.#transport = transport;
    this.#fallback = options.onNotification;
    this.#max = options.maxRunningNotifications ?? 1024;
    this.#report = report;
  }

  on(method: string, listener: NotificationHandler): () => void {
    // An entry of its own, so that a function registered twice is removed once per registration.
    const entry: Entry = { listener };
    this.#listeners.set(method, [...(this.#listeners.get(method) ?? []), entry]);
    return () => {
      const rest = (this.#listeners.get(method) ?? []).filter((other) => other !== entry);
      if (rest.length > 0) this.#listeners.set(method, rest);
      else this.#listeners.delete(method);
    };
  }

  deliver(message: NotificationMessage): void {
    // Nearly everything that arrives comes through here: no closure, no iterator.
    const listeners = this.#listeners.get(message.method);
    if (listeners) this.#call(listeners, message);
    else if (this.#fallback) {
      try {
        const result = this.#fallback(message);
        if (result !== undefined) this.#track(result, message.method);
      } catch (error) {
        this.#report(error, message.method);
      }
    }
    this.count();
  }

  /** Counts a delivered notification. */
  count(): void {
    if (++this.#burst === maxBurst) this.#rest();
  }

  #call(entries: readonly Entry[], message: NotificationMessage): void {
    for (let at = 0; at < entries.length; at++) {
      try {
        const result = entries[at]?.listener(message.params, message);
        if (result !== undefined) this.#track(result, message.method);
      } catch (error) {
        this.#report(error, message.method);
      }
    }
  }

  /** Lets the event loop turn once before more is delivered. */
  #rest(): void {
    this.#resting = true;
    this.#pause();
    macrotask(() => {
      this.#burst = 0;
      this.#resting = false;
      this.#resumeIfFree();
    });
  }

  #track(running: Promise<void>, method: string): void {
    // A listener written without types may return anything.
    if (typeof running?.then !== "function") return;
    this.#busy++;
    if (this.#busy >= this.#max) this.#pause();
    void Promise.resolve(running)
      .catch((error: unknown) => this.#report(error, method))
      .then(() => this.#done());
  }

  #done(): void {
    this.#busy--;
    this.#resumeIfFree();
  }

  #pause(): void {
    if (this.#paused) return;
    this.#paused = true;
    this.#transport.pause();
  }

  #resumeIfFree(): void {
    if (!this.#paused || this.#resting || this.#busy > this.#max / 2) return;
    this.#paused = false;
    this.#transport.resume();
  }
}
