import { ConnectionError, RpcError, type ServerPort } from "@quire/client";
import { explainMissing } from "@quire/protocol/versions";

/** How long a hub may take to answer a request, unless told otherwise. Long histories are read within it. */
const defaultTimeoutMs = 60_000;

/** Where a port delivers what is no reply. */
interface HubPortEvents {
  notification(method: string, params: unknown): void;
  request(id: string | number, method: string, params: unknown): void;
}

/** What a port needs of its link. */
export interface HubPortOptions {
  /** Sends one JSON-RPC message; false when the link is down. */
  readonly send: (message: unknown) => boolean;
  /** The server's version, as far as it is known. */
  readonly version: () => string | undefined;
  readonly events: HubPortEvents;
}

interface Call {
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

interface CallLimits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Plain JSON-RPC with one hub through the gateway. It outlives the link: calls fail when the link or the hub is lost. */
export class HubPort implements ServerPort {
  readonly ended: Promise<Error | undefined> = new Promise(() => undefined);
  readonly #options: HubPortOptions;
  readonly #calls = new Map<number, Call>();
  readonly #listeners = new Map<string, Set<(params: never) => void>>();
  readonly #reconnected = new Set<() => void>();
  #nextId = 0;

  constructor(options: HubPortOptions) {
    this.#options = options;
  }

  get serverVersion(): string | undefined {
    return this.#options.version();
  }

  readonly request: ServerPort["request"] = (method, ...args) =>
    this.requestUntyped(method, args[0], args[1]) as ReturnType<ServerPort["request"]>;

  requestUntyped(method: string, params: unknown, limits: CallLimits = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++;
      const timeoutMs = limits.timeoutMs ?? defaultTimeoutMs;
      const end = (): void => {
        clearTimeout(timer);
        limits.signal?.removeEventListener("abort", aborted);
        this.#calls.delete(id);
      };
      const fail = (error: Error): void => {
        end();
        reject(error);
      };
      const aborted = (): void => fail(limits.signal?.reason as Error);
      const timer = timeoutMs === 0 ? undefined : setTimeout(() => fail(timedOut(method, timeoutMs)), timeoutMs);
      if (limits.signal?.aborted === true) return aborted();
      limits.signal?.addEventListener("abort", aborted);
      this.#calls.set(id, {
        method,
        resolve: (result) => {
          end();
          resolve(result);
        },
        reject: fail,
      });
      if (!this.#options.send({ id, method, params: params ?? {} })) fail(lost("The link to Quire is down"));
    });
  }

  onNotification(method: string, listener: (params: never) => void): () => void {
    const listeners = this.#listeners.get(method) ?? new Set();
    this.#listeners.set(method, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  onReconnected(listener: () => void): () => void {
    this.#reconnected.add(listener);
    return () => this.#reconnected.delete(listener);
  }

  /** Takes one message of the hub. */
  receive(message: unknown): void {
    if (typeof message !== "object" || message === null) return;
    const { id, method, params, result, error } = message as Record<string, unknown>;
    if (typeof method === "string") {
      if (typeof id === "string" || typeof id === "number") this.#options.events.request(id, method, params);
      else this.#notify(method, params);
    } else if (typeof id === "number") {
      const call = this.#calls.get(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(this.#failure(call.method, error));
    }
  }

  /** Answers a request of the hub; false when the link is down. */
  reply(id: string | number, answer: { readonly result: unknown } | { readonly error: unknown }): boolean {
    return this.#options.send({ id, ...answer });
  }

  /** Every call in flight fails: its reply cannot come any more. */
  interrupted(reason: string): void {
    for (const { reject } of [...this.#calls.values()]) reject(lost(reason));
  }

  /** The hub was initialized anew. */
  restarted(): void {
    for (const listener of this.#reconnected) listener();
  }

  #notify(method: string, params: unknown): void {
    for (const listener of this.#listeners.get(method) ?? []) listener(params as never);
    this.#options.events.notification(method, params);
  }

  #failure(method: string, error: unknown): RpcError {
    const { code = -32603, message = "The server gave no reason", data } = error as Partial<RpcError>;
    const version = this.serverVersion;
    const missing = code === -32601 && version !== undefined ? explainMissing(method, version) : undefined;
    return new RpcError({ code, message: missing ?? message, data });
  }
}

function lost(reason: string): ConnectionError {
  return new ConnectionError("closed", `${reason}. Try again when it is back.`, { mayHaveRun: true });
}

function timedOut(method: string, timeoutMs: number): ConnectionError {
  return new ConnectionError(
    "timeout",
    `The server did not answer ${method} within ${timeoutMs / 1000} s. Try again.`,
    {
      mayHaveRun: true,
    },
  );
}
