import type { CallArguments } from "@quire/jsonrpc";
import type { ClientRequests, ServerNotifications } from "@quire/protocol";

/** Options that every call takes. */
export interface CallOptions {
  /** Aborting rejects the call with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The time to wait for the reply. Default 30 s; 0 waits for ever. */
  readonly timeoutMs?: number | undefined;
}

/** The client as its parts see it: calls to the server, and its notifications. */
export interface ServerPort {
  /** Calls the server. */
  request<M extends keyof ClientRequests>(
    method: M,
    ...args: CallArguments<ClientRequests[M]["params"], CallOptions>
  ): Promise<ClientRequests[M]["result"]>;
  /** Calls a method that the newest Codex no longer has, or one that this package does not know. */
  requestUntyped(method: string, params: unknown, options?: CallOptions): Promise<unknown>;
  /** Listens to a notification; the returned function stops that. */
  onNotification<M extends keyof ServerNotifications>(
    method: M,
    listener: (params: ServerNotifications[M]) => void,
  ): () => void;
  /** Told when a lost connection is back: what lived on the old one must be set up anew. The returned function stops that. */
  onReconnected(listener: () => void): () => void;
  /** Keeps the process, where the connection would not, until the returned function is called. */
  hold?(): () => void;
  /** Version of the server, known after `initialize`; undefined where its user agent names none. */
  readonly serverVersion: string | undefined;
  /** Resolves with the error when the connection has ended for good. */
  readonly ended: Promise<Error | undefined>;
}
