import type { RequestId } from "@quire/jsonrpc";
import type { ServerNotifications, ServerRequests } from "@quire/protocol";
import type { ClientFacts } from "./client-facts.ts";
import type { Services } from "./services.ts";

/** A request that was sent to a client. */
export interface SentRequest<Result> {
  readonly id: RequestId;
  readonly answer: Promise<Result>;
}

/** A connected client, as the parts of the server see it. */
export interface Client {
  /** `undefined` before `initialize`. */
  readonly facts: ClientFacts | undefined;
  readonly experimental: boolean;
  readonly open: boolean;
  /** Services that belong to this connection and end with it. */
  readonly services: Services<Client>;
  /** Sends a notification, unless the client opted out of it. A client that does not read is cut off. */
  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M], emittedAtMs?: number): void;
  /** Sends a request to the client. The signal withdraws it on this side. */
  ask<M extends keyof ServerRequests>(
    method: M,
    params: ServerRequests[M]["params"],
    signal: AbortSignal,
  ): SentRequest<ServerRequests[M]["result"]>;
  /** A promise while much is unsent, for producers that can wait. */
  drained(): Promise<void> | undefined;
  /** Calls back once when the connection ends. Returns a function that unregisters. */
  onEnd(callback: () => void): () => void;
}
