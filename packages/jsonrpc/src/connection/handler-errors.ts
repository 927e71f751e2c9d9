import { RpcError } from "../message/errors.ts";
import { ErrorCode, type ErrorObject } from "../message/message.ts";
import type { ConnectionOptions } from "./connection-options.ts";

/** Errors of handlers: reported here, and shown to the peer as far as it may see them. */
export class HandlerErrors {
  readonly #onHandlerError: ConnectionOptions["onHandlerError"];

  constructor(onHandlerError: ConnectionOptions["onHandlerError"]) {
    this.#onHandlerError = onHandlerError;
  }

  /** The peer learns that it failed, not how: a stack or a message may hold what it must not see. */
  toWire(error: unknown, method: string): ErrorObject {
    return RpcError.is(error) ? error.toErrorObject() : this.internal(error, method);
  }

  internal(error: unknown, method: string): ErrorObject {
    this.report(error, method);
    return { code: ErrorCode.internalError, message: `Internal error in ${method}` };
  }

  report(error: unknown, method: string): void {
    try {
      if (this.#onHandlerError) this.#onHandlerError(error, method);
      else console.error(`Handler of ${method} failed:`, error);
    } catch (thrown) {
      // Thrown on from here it would keep replies and settlement from happening.
      console.error("onHandlerError failed:", thrown);
    }
  }
}
