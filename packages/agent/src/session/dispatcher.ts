import { type AnyRecordType, type RecordKind, recordTypeOf } from "../events/record.ts";
import { RecordError } from "../events/session-errors.ts";
import type { Logger } from "../lib/logger.ts";

/** Hears of events. What it returns does not matter; where that is a promise, its failure is logged. */
export type EventHandler<E = never> = (event: E) => unknown;

/** The result of a dispatch. */
export interface DispatchResult {
  readonly event: object;
  readonly handlersInvoked: readonly EventHandler[];
  readonly errors: readonly { readonly handler: EventHandler; readonly error: unknown }[];
  /** The number of handlers that did not fail. */
  readonly handledCount: number;
  /** True when no handler failed. */
  readonly ok: boolean;
  /** Throws an AggregateError with the errors of all handlers, where there are some. */
  raiseIfErrors(): void;
}

/** Delivers events to their subscribers. */
export interface Dispatcher {
  /** The returned function unsubscribes; it says whether the handler was still there. */
  subscribe<E extends object>(type: RecordKind<E>, handler: EventHandler<Readonly<E>>): () => boolean;
  /** Gives whether the handler was there. */
  unsubscribe<E extends object>(type: RecordKind<E>, handler: EventHandler<Readonly<E>>): boolean;
  /** Tells the handlers of exactly this type, one after the other. A handler that throws keeps nobody from hearing. */
  dispatch(event: object): DispatchResult;
}

/** Tells events within this program, at once and in the order of subscription. */
export class InProcessDispatcher implements Dispatcher {
  readonly #handlers = new Map<AnyRecordType, EventHandler[]>();
  readonly #logger: Logger | undefined;

  constructor(options: { readonly logger?: Logger | undefined } = {}) {
    this.#logger = options.logger;
  }

  subscribe<E extends object>(type: RecordKind<E>, handler: EventHandler<Readonly<E>>): () => boolean {
    this.#handlers.set(type, [...(this.#handlers.get(type) ?? []), handler]);
    return () => this.unsubscribe(type, handler);
  }

  unsubscribe<E extends object>(type: RecordKind<E>, handler: EventHandler<Readonly<E>>): boolean {
    const handlers = this.#handlers.get(type) ?? [];
    const at = handlers.indexOf(handler);
    if (at < 0) return false;
    const others = handlers.filter((_, index) => index !== at);
    if (others.length === 0) this.#handlers.delete(type);
    else this.#handlers.set(type, others);
    return true;
  }

  dispatch(event: object): DispatchResult {
    const type = recordTypeOf(event);
    if (type === undefined) throw new RecordError("Only records can be dispatched: make one with its type, Type({…})");
    const handlersInvoked = this.#handlers.get(type) ?? [];
    const errors: { handler: EventHandler; error: unknown }[] = [];
    for (const handler of handlersInvoked) {
      try {
        const returned = handler(event as never);
        if (returned instanceof Promise) returned.catch((error: unknown) => this.#log(type, error));
      } catch (error) {
        errors.push({ handler, error });
        this.#log(type, error);
      }
    }
    return {
      event,
      handlersInvoked,
      errors,
      handledCount: handlersInvoked.length - errors.length,
      ok: errors.length === 0,
      raiseIfErrors() {
        if (errors.length === 0) return;
        const causes = errors.map(({ error }) => error);
        throw new AggregateError(
          causes,
          `${errors.length} of ${handlersInvoked.length} handlers of "${type.typeName}" failed`,
        );
      },
    };
  }

  #log(type: AnyRecordType, error: unknown): void {
    this.#logger?.error?.(`A handler of "${type.typeName}" failed`, error);
  }
}
