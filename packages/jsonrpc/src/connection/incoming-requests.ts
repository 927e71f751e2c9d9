import type { ConnectionError } from "../message/errors.ts";
import { exactId } from "../message/exact-id.ts";
import { ErrorCode, type ErrorObject, type RequestId } from "../message/message.ts";
import type { ConnectionOptions, RequestHandler } from "./connection-options.ts";
import type { HandlerErrors } from "./handler-errors.ts";
import { RunningRequest } from "./running-request.ts";

/** The answer to a request. */
export type Answer = { readonly result: unknown } | { readonly error: ErrorObject };

/** The parts of a connection that answer its requests. */
export interface AnsweringParts {
  readonly options: ConnectionOptions;
  readonly errors: HandlerErrors;
  readonly reply: (id: RequestId | null, answer: Answer) => void;
}

/** Requests of the peer, and the handlers that answer them. */
export class IncomingRequests {
  readonly #parts: AnsweringParts;
  readonly #maxRunning: number;
  readonly #handlers = new Map<string, RequestHandler>();
  readonly #running = new Set<RunningRequest>();
  #onIdle: (() => void)[] = [];
  #endReason: ConnectionError | undefined;

  constructor(parts: AnsweringParts) {
    this.#parts = parts;
    this.#maxRunning = parts.options.maxRunningRequests ?? 1024;
  }

  /** A method has one handler; the returned function removes it. */
  handle(method: string, handler: RequestHandler): () => void {
    if (this.#handlers.has(method)) throw new Error(`${method} has a handler already`);
    this.#handlers.set(method, handler);
    return () => {
      // A handler that came after this one stays.
      if (this.#handlers.get(method) === handler) this.#handlers.delete(method);
    };
  }

  /** Runs the handler of a request, and replies. */
  serve(method: string, params: unknown, given: { readonly id: RequestId; readonly text: string }): void {
    const { options, errors, reply } = this.#parts;
    const id = exactId(given.text, given.id);
    const handler = this.#handlers.get(method) ?? options.onRequest;
    if (!handler) {
      reply(id, { error: { code: ErrorCode.methodNotFound, message: `Method not found: ${method}` } });
      return;
    }
    if (this.#running.size >= this.#maxRunning) {
      reply(id, { error: { code: ErrorCode.overloaded, message: "Server overloaded; retry later." } });
      return;
    }
    const request = new RunningRequest(given.id, method, id);
    let result: unknown;
    try {
      result = handler(params, request);
    } catch (error) {
      reply(id, { error: errors.toWire(error, method) });
      return;
    }
    if (!isPromise(result)) {
      reply(id, { result: result ?? null });
      return;
    }
    // The handler itself may have ended the connection before it gave its promise.
    if (this.#endReason) request.abort(this.#endReason);
    else this.#running.add(request);
    void result.then(
      (value) => this.#finish(request, { result: value ?? null }),
      (error: unknown) => this.#finish(request, { error: errors.toWire(error, method) }),
    );
  }

  /** Resolves once none waits for its reply, or the connection has ended. */
  idle(): Promise<void> {
    if (this.#running.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#onIdle.push(resolve));
  }

  /** Aborts every running handler: nobody reads its answer. */
  end(reason: ConnectionError): void {
    this.#endReason = reason;
    for (const request of this.#running) request.abort(reason);
    this.#running.clear();
    this.#releaseIdle();
  }

  #finish(request: RunningRequest, answer: Answer): void {
    if (this.#running.delete(request)) this.#parts.reply(request.replyId, answer);
    if (this.#onIdle.length > 0 && this.#running.size === 0) this.#releaseIdle();
  }

  #releaseIdle(): void {
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const resolve of waiting) resolve();
  }
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function";
}
