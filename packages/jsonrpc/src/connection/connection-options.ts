import type { ConnectionError, RpcError } from "../message/errors.ts";
import type { NotificationMessage, RequestId } from "../message/message.ts";

/** Context of a request handler, besides the params. */
export interface RequestContext {
  /** The peer's id for this request. */
  readonly id: RequestId;
  /** The method called, for a handler that serves several. */
  readonly method: string;
  /** Aborted when the connection ends: nobody will read the answer. */
  readonly signal: AbortSignal;
}

/** Answers an incoming request. What it throws is the answer too: an RpcError as it is, anything else as -32603. */
export type RequestHandler<Params = unknown, Result = unknown> = (
  params: Params,
  context: RequestContext,
) => Result | Promise<Result>;

/** Sees an incoming notification. `message` is the whole of it, with the members besides `params`. */
export type NotificationHandler<Params = unknown> = (
  params: Params,
  message: NotificationMessage,
) => void | Promise<void>;

/** Per-call options of {@link Connection.request}. */
export interface RequestOptions {
  /** Aborting rejects the call with the signal's reason; a reply that comes later is dropped. */
  readonly signal?: AbortSignal | undefined;
  /** Rejects with a `timeout` ConnectionError after this long. 0 or infinity waits for ever. */
  readonly timeoutMs?: number | undefined;
  /** Told the id of the request, before this call returns: for who must name it to the peer. */
  readonly onSent?: ((id: RequestId) => void) | undefined;
}

/** Options of {@link Connection}. Every bound has a default. */
export interface ConnectionOptions {
  /** Timeout of requests that set none. Default: none. */
  readonly requestTimeoutMs?: number | undefined;
  /** Requests that may wait for their reply at once; one more rejects with `overloaded`. Default 10,000. */
  readonly maxPendingRequests?: number | undefined;
  /** Incoming requests handled at once; one more is answered -32001. Default 1,024. */
  readonly maxRunningRequests?: number | undefined;
  /**
   * Asynchronous notification handlers running at once; beyond it the transport is paused until half are done, so the
   * peer feels it. Default 1,024. A notification handler must not wait for a reply on its own connection: the reply
   * may stand behind the pause.
   */
  readonly maxRunningNotifications?: number | undefined;
  /** Lists and objects within each other that a message may have; a request with more is answered -32600. Default 1,000. */
  readonly maxNesting?: number | undefined;
  /**
   * Unsent data kept for a peer that does not read. Beyond it `request` rejects and `notify` throws `overloaded`, and a
   * reply that finds no room ends the connection. Default 64 MiB.
   */
  readonly maxUnsentBytes?: number | undefined;
  /** Serves requests that have no handler of their own. Default: -32601. */
  readonly onRequest?: RequestHandler | undefined;
  /** Sees notifications that have no handler of their own. */
  readonly onNotification?: ((message: NotificationMessage) => void | Promise<void>) | undefined;
  /**
   * Sees every message before it is parsed, and may deal with notifications of a shape that is known beforehand quicker
   * than `JSON.parse` does. Says whether it has.
   */
  readonly takeNotification?: ((text: string) => boolean) | undefined;
  /** A message that is no JSON, or no request, reply or notification. It is skipped. */
  readonly onMalformed?: ((text: string, error: RpcError) => void) | undefined;
  /** Answers malformed messages that carry no usable id with `id: null`. A server wants that, a client does not. */
  readonly answerMalformed?: boolean | undefined;
  /** A handler threw something that is no RpcError. Default: it is written to the console. */
  readonly onHandlerError?: ((error: unknown, method: string) => void) | undefined;
  /** Called once when the connection has ended; without an error when both sides meant it. */
  readonly onClose?: ((error: ConnectionError | undefined) => void) | undefined;
}
