import { EncodedResult } from "../message/encoded-result.ts";
import { ConnectionError, RpcError } from "../message/errors.ts";
import { exactId } from "../message/exact-id.ts";
import type { NotificationMessage, RequestId } from "../message/message.ts";
import type {
  AnyMethods,
  MethodTable,
  NotificationMethod,
  ParamsOf,
  RequestMethod,
  ResultOf,
} from "../message/method-table.ts";
import { isNestedDeeper } from "../message/nesting.ts";
import {
  checkMessage,
  isNotification,
  MalformedMessage,
  type RawMessage,
  tooDeep,
  unparsable,
} from "../message/parse-message.ts";
import type { Transport } from "../transport/transport.ts";
import type { ConnectionOptions, NotificationHandler, RequestHandler, RequestOptions } from "./connection-options.ts";
import { HandlerErrors } from "./handler-errors.ts";
import { type Answer, IncomingRequests } from "./incoming-requests.ts";
import { NotificationDispatch } from "./notification-dispatch.ts";
import { PendingRequests } from "./pending-requests.ts";

/** Arguments of a call: `params` may be left out where the table allows `undefined`. */
export type CallArguments<Params, Options> = undefined extends Params
  ? [params?: Params, options?: Options]
  : [params: Params, options?: Options];

/**
 * An end of a JSON-RPC connection: calls the peer and serves its calls.
 *
 * It owns its transport. Everything is bounded (see {@link ConnectionOptions}); closing settles every pending call and
 * aborts every running handler. Notification handlers run in order of arrival, within the delivery of the message.
 *
 * @typeParam Remote Methods of the peer.
 * @typeParam Local Methods of this side.
 */
export class Connection<Remote extends MethodTable = AnyMethods, Local extends MethodTable = AnyMethods>
  implements AsyncDisposable
{
  readonly #transport: Transport;
  readonly #options: ConnectionOptions;
  readonly #pending = new PendingRequests();
  readonly #incoming: IncomingRequests;
  readonly #errors: HandlerErrors;
  readonly #notifications: NotificationDispatch;
  readonly #takeNotification: ConnectionOptions["takeNotification"];
  readonly #maxPending: number;
  readonly #maxUnsent: number;
  #endReason: ConnectionError | undefined;
  #closing: Promise<void> | undefined;
  readonly #closed: Promise<ConnectionError | undefined>;
  #settleClosed!: (error: ConnectionError | undefined) => void;

  constructor(transport: Transport, options: ConnectionOptions = {}) {
    this.#transport = transport;
    this.#options = options;
    this.#takeNotification = options.takeNotification;
    this.#maxPending = options.maxPendingRequests ?? 10_000;
    this.#maxUnsent = options.maxUnsentBytes ?? 64 * 1024 * 1024;
    this.#errors = new HandlerErrors(options.onHandlerError);
    this.#incoming = new IncomingRequests({
      options,
      errors: this.#errors,
      reply: (id, answer) => this.#reply(id, answer),
    });
    this.#notifications = new NotificationDispatch(transport, options, (error, method) =>
      this.#errors.report(error, method),
    );
    this.#closed = new Promise((resolve) => {
      this.#settleClosed = resolve;
    });
    transport.start({ message: this.#receive, closed: (error) => this.#end(error) });
  }

  /** Calls the peer. Rejects with an {@link RpcError}, a {@link ConnectionError} or the signal's reason. */
  request<M extends RequestMethod<Remote>>(
    method: M,
    ...args: CallArguments<ParamsOf<Remote, M>, RequestOptions>
  ): Promise<ResultOf<Remote, M>> {
    // By index: taking the tuple apart would go through an iterator on every call.
    const params = args[0];
    const options = args[1];
    const signal = options?.signal;
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#endReason) return Promise.reject(closedError(this.#endReason, false));
    if (this.#pending.size >= this.#maxPending) {
      return Promise.reject(
        new ConnectionError("overloaded", `${this.#maxPending} requests are pending (maxPendingRequests)`),
      );
    }
    const timeoutMs = options?.timeoutMs ?? this.#options.requestTimeoutMs ?? 0;
    return this.#pending.add(method, timeoutMs, signal, (id) => {
      this.#write({ method, id, params });
      options?.onSent?.(id);
    }) as Promise<ResultOf<Remote, M>>;
  }

  /** Tells the peer. Throws a {@link ConnectionError} when the connection has ended or the peer does not read. */
  notify<M extends NotificationMethod<Remote>>(
    method: M,
    ...[params]: CallArguments<Remote["notifications"][M], never>
  ): void {
    if (this.#endReason) throw closedError(this.#endReason, false);
    this.#write({ method, params });
  }

  /** Sends a notification with members besides `params`, or one made elsewhere. Same errors as {@link notify}. */
  notifyMessage(message: NotificationMessage): void {
    if (this.#endReason) throw closedError(this.#endReason, false);
    this.#write(message);
  }

  /** Serves a method. A method has one handler; the returned function removes it. */
  handle<M extends RequestMethod<Local>>(
    method: M,
    handler: RequestHandler<ParamsOf<Local, M>, ResultOf<Local, M>>,
  ): () => void {
    return this.#incoming.handle(method, handler as RequestHandler);
  }

  /** Listens to a notification. The returned function removes the listener. */
  on<M extends NotificationMethod<Local>>(
    method: M,
    listener: NotificationHandler<Local["notifications"][M]>,
  ): () => void {
    return this.#notifications.on(method, listener as NotificationHandler);
  }

  /** True while calls can be made. */
  get open(): boolean {
    return this.#endReason === undefined;
  }

  /** Resolves when the connection has ended, with the error that ended it, if any. Never rejects. */
  get closed(): Promise<ConnectionError | undefined> {
    return this.#closed;
  }

  /** Amount queued for the peer; a producer that streams waits on {@link drain} when it grows. */
  get unsent(): number {
    return this.#transport.buffered;
  }

  /** Resolves once the peer has read enough for more to be sent, or the connection has ended. */
  drain(): Promise<void> {
    return this.#transport.drain();
  }

  /** Resolves once no request of the peer waits for its reply, or the connection has ended. */
  idle(): Promise<void> {
    return this.#incoming.idle();
  }

  /** Ends the connection and its transport. Idempotent; resolves when all is freed. */
  close(): Promise<void> {
    this.#closing ??= this.#closeWith(undefined);
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #closeWith(error: ConnectionError | undefined): Promise<void> {
    this.#end(error);
    await this.#transport.close();
  }

  #end(error: ConnectionError | undefined): void {
    if (this.#endReason) return;
    this.#endReason = error ?? new ConnectionError("closed", "The connection is closed");
    this.#pending.rejectAll(closedError(this.#endReason, true));
    this.#incoming.end(this.#endReason);
    this.#settleClosed(error);
    try {
      this.#options.onClose?.(error);
    } catch (thrown) {
      this.#errors.report(thrown, "onClose");
    }
    // The transport may have ended by itself, or only one of its directions; either way it is freed now.
    this.#closing ??= this.#transport.close();
  }

  // A function of its own, handed to the transport as it is: every message comes in here.
  readonly #receive = (text: string): void => {
    if (this.#endReason) return;
    if (this.#takeNotification?.(text)) {
      this.#notifications.count();
      return;
    }
    if (isNestedDeeper(text, this.#options.maxNesting)) {
      this.#malformed(text, tooDeep(text));
      return;
    }
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      this.#malformed(text, unparsable(error));
      return;
    }
    if (isNotification(value)) this.#notifications.deliver(value);
    else this.#receiveCall(text, checkMessage(value));
  };

  #receiveCall(text: string, message: RawMessage | MalformedMessage): void {
    if (message instanceof MalformedMessage) this.#malformed(text, message);
    else if (message.method === undefined) this.#settle(message);
    else this.#incoming.serve(message.method, message.params, { id: message.id as RequestId, text });
  }

  #settle({ id, result, error }: RawMessage): void {
    const call = this.#pending.take(id as RequestId);
    if (!call) return;
    if (error) call.reject(new RpcError(error));
    else call.resolve(result);
  }

  #reply(id: RequestId | null, answer: Answer): void {
    if (this.#endReason) return;
    try {
      if ("result" in answer && answer.result instanceof EncodedResult) this.#writeEncoded(id, answer.result);
      else this.#write({ id, ...answer });
    } catch (error) {
      // A result that is no JSON is the handler's fault and still answered; a peer that does not read is cut off.
      if (ConnectionError.is(error)) this.#closing ??= this.#closeWith(error);
      else this.#reply(id, { error: this.#errors.internal(error, "reply") });
    }
  }

  #malformed(text: string, { error, id, isReply }: MalformedMessage): void {
    const failure = new RpcError(error);
    if (isReply && id !== null) {
      const call = this.#pending.take(id);
      call?.reject(new ConnectionError("invalid-message", `Malformed reply: ${error.message}`, { mayHaveRun: true }));
    } else if (!isReply && (id !== null || this.#options.answerMalformed)) {
      this.#reply(id === null ? null : exactId(text, id), { error });
    }
    try {
      this.#options.onMalformed?.(text, failure);
    } catch (thrown) {
      this.#errors.report(thrown, "onMalformed");
    }
  }

  #writeEncoded(id: RequestId | null, { json }: EncodedResult): void {
    const head = `{"id":${JSON.stringify(id)},"result":`;
    // Its own length does not count: who asks for something large shall get it, also behind something small.
    this.#checkUnsent(0);
    if (typeof json === "string") this.#transport.send(`${head}${json}}`);
    else if (this.#transport.sendEncoded) this.#transport.sendEncoded(head, json, "}");
    else this.#transport.send(`${head}${new TextDecoder().decode(json)}}`);
  }

  #write(message: object): void {
    const text = JSON.stringify(message);
    this.#checkUnsent(text.length);
    this.#transport.send(text);
  }

  #checkUnsent(length: number): void {
    const unsent = this.#transport.buffered;
    if (unsent > 0 && unsent + length > this.#maxUnsent) {
      throw new ConnectionError("overloaded", `The peer does not read: ${unsent} bytes unsent (maxUnsentBytes)`);
    }
  }
}

/** The same end seen from one call: whether that call may have run differs. */
function closedError(reason: ConnectionError, mayHaveRun: boolean): ConnectionError {
  const { code, message, exitCode, signal, stderr } = reason;
  return new ConnectionError(code, message, { mayHaveRun, exitCode, signal, stderr, cause: reason });
}
