import type { ConnectionOptions, NotificationHandler } from "./connection-options.ts";
import type { NotificationMessage } from "./message.ts";
import type { Transport } from "./transport.ts";

/** Hands incoming notifications to their listeners, and holds the transport back while too many are still busy. */
export class NotificationDispatch {
  readonly #transport: Transport;
  readonly #fallback: ConnectionOptions["onNotification"];
  readonly #report: (error: unknown, method: string) => void;
  readonly #max: number;
  /** Replaced, not changed: a listener may remove itself while it is called. */
  readonly #listeners = new Map<string, readonly NotificationHandler[]>();
  #busy = 0;
  #paused = false;

  constructor(transport: Transport, options: ConnectionOptions, report: (error: unknown, method: string) => void) {
    this.#transport = transport;
    this.#fallback = options.onNotification;
    this.#max = options.maxRunningNotifications ?? 1024;
    this.#report = report;
  }

  on(method: string, listener: NotificationHandler): () => void {
    this.#listeners.set(method, [...(this.#listeners.get(method) ?? []), listener]);
    return () => {
      const rest = (this.#listeners.get(method) ?? []).filter((other) => other !== listener);
      if (rest.length > 0) this.#listeners.set(method, rest);
      else this.#listeners.delete(method);
    };
  }

  deliver(message: NotificationMessage): void {
    const listeners = this.#listeners.get(message.method);
    if (!listeners) {
      if (this.#fallback) this.#call(() => this.#fallback?.(message), message.method);
      return;
    }
    for (const listener of listeners) this.#call(() => listener(message.params, message), message.method);
  }

  #call(run: () => void | Promise<void>, method: string): void {
    try {
      const result = run();
      if (result !== undefined && typeof result.then === "function") this.#track(result, method);
    } catch (error) {
      this.#report(error, method);
    }
  }

  #track(running: Promise<void>, method: string): void {
    this.#busy++;
    if (this.#busy >= this.#max && !this.#paused) {
      this.#paused = true;
      this.#transport.pause();
    }
    void running.catch((error: unknown) => this.#report(error, method)).then(() => this.#done());
  }

  #done(): void {
    this.#busy--;
    if (this.#paused && this.#busy <= this.#max / 2) {
      this.#paused = false;
      this.#transport.resume();
    }
  }
}
