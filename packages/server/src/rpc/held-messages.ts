import { errorMessage } from "../lib/error-message.ts";
import { internalError } from "../lib/rpc-errors.ts";

/**
 * Messages of a connection that wait until what they tell of is stored. Those of each thread stay in order, and so do those
 * of none.
 */
export class HeldMessages {
  readonly #stored: (threadId: string | undefined) => Promise<void> | undefined;
  /** The last message that waits, by thread. Most servers have none. */
  readonly #last = new Map<string | undefined, Promise<void>>();

  constructor(stored: (threadId: string | undefined) => Promise<void> | undefined) {
    this.#stored = stored;
  }

  /** Sends a message when the thread is stored, and returns true; false if it can be sent at once. */
  hold(threadId: string | undefined, message: () => void): boolean {
    const waiting = this.#waiting(threadId);
    if (waiting === undefined) return false;
    // What can no longer be stored is not told.
    this.#hold(
      threadId,
      waiting.then(message, () => undefined),
    );
    return true;
  }

  /** A request's result, held like a message. What the thread sends later comes after the reply. */
  reply(result: unknown, params: unknown): unknown {
    return result instanceof Promise ? result.then((value) => this.#reply(value, params)) : this.#reply(result, params);
  }

  #reply(result: unknown, params: unknown): unknown {
    const threadId = threadOf(params) ?? threadOf({ threadId: (result as ThreadResult)?.thread?.id });
    const waiting = this.#waiting(threadId);
    if (waiting === undefined) return result;
    this.#hold(
      threadId,
      waiting.then(nextTick, () => undefined),
    );
    return waiting.then(
      () => result,
      (error: unknown) => {
        throw internalError(errorMessage(error));
      },
    );
  }

  #waiting(threadId: string | undefined): Promise<void> | undefined {
    const last = this.#last.get(threadId);
    const stored = this.#stored(threadId);
    if (last === undefined) return stored;
    return stored === undefined ? last : last.then(() => stored);
  }

  #hold(threadId: string | undefined, message: Promise<void>): void {
    const done = message.then(() => {
      if (this.#last.get(threadId) === done) this.#last.delete(threadId);
    });
    this.#last.set(threadId, done);
  }
}

interface ThreadResult {
  readonly thread?: { readonly id?: unknown };
}

/** The thread that a message is about. */
export function threadOf(params: unknown): string | undefined {
  const id = (params as { readonly threadId?: unknown } | null | undefined)?.threadId;
  return typeof id === "string" ? id : undefined;
}

/** A reply leaves a few steps after its result. */
const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
