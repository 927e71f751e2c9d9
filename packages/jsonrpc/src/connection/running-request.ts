import type { RequestId } from "../message/message.ts";
import type { RequestContext } from "./connection-options.ts";

/** An incoming request while its handler runs. The abort signal is made only when somebody looks at it. */
export class RunningRequest implements RequestContext {
  readonly id: RequestId;
  readonly method: string;
  /** The id for the reply, where it is no exact number here. */
  readonly replyId: RequestId;
  #controller: AbortController | undefined;
  #abortedWith: unknown;
  #aborted = false;

  constructor(id: RequestId, method: string, replyId: RequestId) {
    this.id = id;
    this.method = method;
    this.replyId = replyId;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#aborted) this.#controller.abort(this.#abortedWith);
    }
    return this.#controller.signal;
  }

  /** Tells the handler that nobody waits any more. */
  abort(reason: unknown): void {
    this.#aborted = true;
    this.#abortedWith = reason;
    this.#controller?.abort(reason);
  }
}
