import { type AnyRecordType, type RecordKind, recordTypeOf } from "../events/record.ts";
import { RecordError } from "../events/session-errors.ts";
import type { Logger } from "../lib/logger.ts";
import type { SliceDefinition } from "./define-slice.ts";
import { outcomeRecords } from "./outcome-records.ts";
import type { ReadonlySession, Reducer } from "./reducer.ts";
import { Registry } from "./registry.ts";
import { clear, replace, type SliceOp, type SliceView } from "./slice-op.ts";
import type { SliceStore } from "./slice-store.ts";
import { assertSerializable, type SnapshotSlice } from "./snapshot.ts";
import { SliceCleared, SliceSeeded } from "./system-events.ts";

/** The slices of a session, and their changes by events. */
export class SessionState {
  readonly registry: Registry;
  readonly #logger: Logger | undefined;

  constructor(logger: Logger | undefined, registry: Registry = new Registry()) {
    this.#logger = logger;
    this.registry = registry;
  }

  /** The same content and reducers, which no longer depend on this one's. */
  copy(): SessionState {
    return new SessionState(this.#logger, this.registry.copy());
  }

  /** Adds a slice that was put together with `defineSlice`. */
  install<T extends object>({ type, options, handlers }: SliceDefinition<T>): void {
    this.registry.store(type, options.policy);
    for (const [event, handler] of handlers) {
      this.registry.register(type, event, (view, happened) => {
        const state = (view.latest() ?? options.initial?.()) as T | undefined;
        return state === undefined ? undefined : replace<object>([handler(state, happened as never)]);
      });
    }
  }

  /** A slice for reading. */
  view<T extends object>(type: RecordKind<T>): SliceView<Readonly<T>> {
    // Looked up with every question, since the slice may come into being in between.
    const store = (): SliceView<Readonly<T>> => this.registry.peek(type) as unknown as SliceView<Readonly<T>>;
    return {
      get size() {
        return store().size;
      },
      all: () => store().all(),
      latest: () => store().latest(),
      where: (holds) => store().where(holds),
    };
  }

  /** Lets an event change slices. Gives what is to be dispatched next: records that came out of a tool or an evaluation. */
  apply(event: object, reader: ReadonlySession): readonly object[] {
    const type = recordTypeOf(event);
    if (type === undefined) throw new RecordError("Only records can be dispatched: make one with its type, Type({…})");
    const registrations = this.registry.registrations(event);
    if (!this.#applySystem(event) && registrations === undefined) this.#keep(type, event);
    for (const { store, reduce } of registrations ?? []) this.#reduce({ store, reduce }, event, reader);
    return outcomeRecords(event);
  }

  /** The slices that are not empty, for a snapshot. Throws a SnapshotError where JSON cannot hold them. */
  slices(includesLogs: boolean): readonly SnapshotSlice[] {
    const taken = [...this.registry.stores].filter(
      (store) => store.size > 0 && (includesLogs || store.policy === "state"),
    );
    for (const store of taken) for (const item of store.all()) assertSerializable(item, store.type.typeName);
    return taken.map((store) => ({ type: store.type.typeName, policy: store.policy, items: store.all() }));
  }

  #keep(type: AnyRecordType, event: object): void {
    this.registry.store(type).apply({ op: "append", value: event });
  }

  #applySystem(event: object): boolean {
    if (SliceSeeded.is(event)) this.#change(event.slice, replace(event.values));
    else if (SliceCleared.is(event))
      this.#change(event.slice, clear(event.where as ((value: object) => boolean) | undefined));
    else return false;
    return true;
  }

  #change(name: string, operation: SliceOp<object>): void {
    const store = this.registry.find(name);
    if (store === undefined) throw new RecordError(`The session has no slice "${name}": use slice(Type)`);
    store.apply(operation);
  }

  #reduce(
    { store, reduce }: { readonly store: SliceStore; readonly reduce: Reducer<object, object> },
    event: object,
    reader: ReadonlySession,
  ): void {
    try {
      const operation = reduce(store, event, reader);
      if (operation !== undefined) store.apply(operation);
    } catch (error) {
      this.#logger?.error?.(`A reducer of the slice "${store.type.typeName}" failed`, error);
    }
  }
}
