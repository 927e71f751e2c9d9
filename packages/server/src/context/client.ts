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
  /** What the client said of itself; `undefined` before `initialize`. */
  readonly facts: ClientFacts | undefined;
  /** Whether the client may use what is experimental. */
  readonly experimental: boolean;
  readonly open: boolean;
  /** What belongs to this connection and ends with it. */
  readonly services: Services<Client>;
  /** Tells the client, unless it does not want to hear it. A client that does not read is cut off. */
  notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M], emittedAtMs?: number): void;
  /** Asks the client. The signal withdraws the question on this side. */
  ask<M extends keyof ServerRequests>(
    method: M,
    params: ServerRequests[M]["params"],
    signal: AbortSignal,
  ): SentRequest<ServerRequests[M]["result"]>;
  /** A promise while much is unsent, for a producer that can wait. */
  drained(): Promise<void> | undefined;
  /** Calls back once when the connection ends. The returned function takes that back. */
  onEnd(callback: () => void): () => void;
}
