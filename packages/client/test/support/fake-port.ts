import type { ServerPort } from "@quire/client";
import type { ClientRequests, ServerNotifications } from "@quire/protocol";
import { codexVersion } from "@quire/protocol/version";

type Method = keyof ClientRequests;
type Handler = (params: never, options: { signal?: AbortSignal; timeoutMs?: number }) => unknown;

/** One request that was made. */
export interface Made {
  readonly method: string;
  readonly params: unknown;
}

/** A server in the same program: requests are answered by functions, notifications are sent by hand. */
export class FakePort implements ServerPort {
  readonly made: Made[] = [];
  readonly ended: Promise<Error | undefined>;
  serverVersion: string | undefined = codexVersion;
  end!: (error?: Error) => void;
  readonly #handlers = new Map<string, Handler>();
  readonly #listeners = new Map<string, Set<(params: never) => void>>();
  readonly #reconnected = new Set<() => void>();

  constructor() {
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
  }

  /** Answers a method from now on. */
  on<M extends Method>(
    method: M,
    handler: (
      params: ClientRequests[M]["params"],
      options: { signal?: AbortSignal; timeoutMs?: number },
    ) => ClientRequests[M]["result"] | Promise<ClientRequests[M]["result"]>,
  ): this {
    this.#handlers.set(method, handler as Handler);
    return this;
  }

  /** Says that a lost connection is back. */
  reconnect(): void {
    for (const listener of [...this.#reconnected]) listener();
  }

  onReconnected(listener: () => void): () => void {
    this.#reconnected.add(listener);
    return () => void this.#reconnected.delete(listener);
  }

  /** Sends a notification. */
  send<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M]): void {
    for (const listener of [...(this.#listeners.get(method) ?? [])]) listener(params as never);
  }

  /** How many listeners there are. */
  get listeners(): number {
    return [...this.#listeners.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Params of every request of a method. */
  paramsOf<M extends Method>(method: M): ClientRequests[M]["params"][] {
    return this.made.filter((each) => each.method === method).map(({ params }) => params as never);
  }

  request<M extends Method>(method: M, ...[params, options]: unknown[]): Promise<ClientRequests[M]["result"]> {
    return this.requestUntyped(method, params, options as never) as Promise<ClientRequests[M]["result"]>;
  }

  async requestUntyped(method: string, params: unknown, options: { signal?: AbortSignal } = {}): Promise<unknown> {
    options.signal?.throwIfAborted();
    this.made.push({ method, params });
    const handler = this.#handlers.get(method);
    if (!handler) return {};
    return handler(params as never, options);
  }

  onNotification<M extends keyof ServerNotifications>(
    method: M,
    listener: (params: ServerNotifications[M]) => void,
  ): () => void {
    const listeners = this.#listeners.get(method) ?? new Set();
    this.#listeners.set(method, listeners);
    listeners.add(listener as (params: never) => void);
    return () => void listeners.delete(listener as (params: never) => void);
  }
}

/** A promise and what settles it. */
export function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: unknown) => void } {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}
