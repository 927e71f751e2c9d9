import type { ServerNotifications } from "@quire/protocol";
import type { Client } from "../context/client.ts";

/**
 * The clients that follow a thread. What each calls at its end is taken back when it leaves: a connection may live for
 * days, and must not hold the threads that it once joined.
 */
export class Subscribers implements Iterable<Client> {
  readonly #ends = new Map<Client, () => void>();

  get size(): number {
    return this.#ends.size;
  }

  has(client: Client): boolean {
    return this.#ends.has(client);
  }

  [Symbol.iterator](): IterableIterator<Client> {
    return this.#ends.keys();
  }

  /** @param ended Called when the client ends before it leaves. */
  add(client: Client, ended: () => void): void {
    if (!this.#ends.has(client)) this.#ends.set(client, client.onEnd(ended));
  }

  /** False when the client was not subscribed. */
  delete(client: Client): boolean {
    this.#ends.get(client)?.();
    return this.#ends.delete(client);
  }

  clear(): void {
    for (const client of this.#ends.keys()) this.delete(client);
  }

  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void {
    const now = Date.now();
    for (const client of this.#ends.keys()) client.notify(method, params, now);
  }

  /** A promise while some client has much unread. */
  drained(): Promise<void> | undefined {
    for (const client of this.#ends.keys()) {
      const waiting = client.drained();
      if (waiting) return waiting;
    }
    return undefined;
  }
}
