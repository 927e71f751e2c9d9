import type { CallOptions, ServerPort } from "@quire/client";
import { explainMissingMethod } from "@quire/client/link";
import { ConnectionError, ErrorCode, PendingRequests, RpcError } from "@quire/jsonrpc";
import { linkWords } from "../words/words.ts";

/** Default time for a hub to answer a request; long histories are read within it. */
const defaultTimeoutMs = 60_000;

/** Receives messages that are no replies. */
interface HubPortEvents {
  notification(method: string, params: unknown): void;
  request(id: string | number, method: string, params: unknown): void;
}

/** Options of a port. */
export interface HubPortOptions {
  /** Sends one JSON-RPC message; false when the link is down. */
  readonly send: (message: unknown) => boolean;
  /** The server's version, as far as it is known. */
  readonly version: () => string | undefined;
  readonly events: HubPortEvents;
}

/** Plain JSON-RPC with one hub through the gateway. It outlives the link: calls fail when the link or the hub is lost. */
export class HubPort implements ServerPort {
  readonly ended: Promise<Error | undefined> = new Promise(() => undefined);
  readonly #options: HubPortOptions;
  readonly #calls = new PendingRequests();
  readonly #listeners = new Map<string, Set<(params: never) => void>>();
  readonly #reconnected = new Set<() => void>();

  constructor(options: HubPortOptions) {
    this.#options = options;
  }

  get serverVersion(): string | undefined {
    return this.#options.version();
  }

  readonly request: ServerPort["request"] = (method, ...args) =>
    this.requestUntyped(method, args[0], args[1]) as ReturnType<ServerPort["request"]>;

  async requestUntyped(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    const { timeoutMs = defaultTimeoutMs, signal } = options;
    signal?.throwIfAborted();
    try {
      return await this.#calls.add(method, timeoutMs, signal, (id) => {
        if (!this.#options.send({ id, method, params: params ?? {} })) throw lost(linkWords.down);
      });
    } catch (error) {
      throw await explainMissingMethod(error, method, this.serverVersion);
    }
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

  receive(message: unknown): void {
    if (typeof message !== "object" || message === null) return;
    const { id, method, params, result, error } = message as Record<string, unknown>;
    if (typeof method === "string") {
      if (typeof id === "string" || typeof id === "number") this.#options.events.request(id, method, params);
      else this.#notify(method, params);
    } else if (typeof id === "number") {
      const call = this.#calls.take(id);
      if (error === undefined) call?.resolve(result);
      else call?.reject(new RpcError({ ...noReason, ...(error as object) }));
    }
  }

  /** Answers a request of the hub; false when the link is down. */
  reply(id: string | number, answer: { readonly result: unknown } | { readonly error: unknown }): boolean {
    return this.#options.send({ id, ...answer });
  }

  interrupted(reason: string): void {
    this.#calls.rejectAll(lost(reason));
  }

  restarted(): void {
    for (const listener of this.#reconnected) listener();
  }

  #notify(method: string, params: unknown): void {
    for (const listener of this.#listeners.get(method) ?? []) listener(params as never);
    this.#options.events.notification(method, params);
  }
}

const noReason = { code: ErrorCode.internalError, message: linkWords.noReason };

function lost(reason: string): ConnectionError {
  return new ConnectionError("closed", linkWords.tryAgain(reason), { mayHaveRun: true });
}
