import { type Clock, systemClock } from "../clock.ts";
import { PromptExecuted, PromptRendered, RenderedTools, ToolInvoked } from "../events/canonical.ts";
import type { Logger } from "../logger.ts";
import { CodexThread } from "./codex-thread.ts";
import type { SliceDefinition } from "./define-slice.ts";
import { type Dispatcher, type DispatchResult, InProcessDispatcher } from "./dispatcher.ts";
import { outcomeRecords } from "./outcome-records.ts";
import { type RecordKind, recordTypeOf } from "./record.ts";
import type { ReadonlySession, Reducer } from "./reducer.ts";
import { Registry } from "./registry.ts";
import { restoreInto } from "./restore.ts";
import { RecordError } from "./session-errors.ts";
import type { Slice } from "./slice-accessor.ts";
import { clear, replace, type SliceOp, type SliceView } from "./slice-op.ts";
import type { SliceStore } from "./slice-store.ts";
import { assertSerializable, SessionSnapshot } from "./snapshot.ts";
import { SliceCleared, SliceSeeded } from "./system-events.ts";
import { visibilitySlice } from "./visibility-overrides.ts";

/** Options of a {@link Session}. */
export interface SessionOptions {
  /** Default: a new UUID. */
  readonly id?: string | undefined;
  /** Who else hears of the session's events. Default: a dispatcher of its own. */
  readonly dispatcher?: Dispatcher | undefined;
  /** The session that this one belongs to. */
  readonly parent?: Session | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly clock?: Clock | undefined;
  /** Hears of reducers and handlers that fail. */
  readonly logger?: Logger | undefined;
}

/** What is heard of on the dispatcher, whoever dispatched it there. */
const telemetry = [PromptRendered, RenderedTools, ToolInvoked, PromptExecuted] as const;

/**
 * An agent's context over several evaluations: records in slices, which change only by events. What was changed can be
 * taken back by restoring a snapshot; logs of what happened stay.
 *
 * It grows with what is dispatched to it and forgets nothing by itself. Close it when its dispatcher or parent lives longer.
 */
export class Session implements Disposable {
  readonly id: string;
  /** ISO 8601, in UTC. */
  readonly createdAt: string;
  readonly parent: Session | undefined;
  /** The given ones, `sessionId`, and `parentSessionId` where there is a parent. */
  readonly tags: Readonly<Record<string, string>>;
  readonly dispatcher: Dispatcher;
  readonly #options: SessionOptions;
  readonly #children = new Set<Session>();
  readonly #unsubscribe: (() => boolean)[];
  /** Events that are being published, of which the session need not hear by its own subscription. */
  readonly #publishing = new Set<object>();
  readonly #reader: ReadonlySession;
  #registry = new Registry();

  constructor(options: SessionOptions = {}) {
    const { id = crypto.randomUUID(), parent, clock = systemClock, logger } = options;
    this.#options = options;
    this.id = id;
    this.createdAt = new Date(clock.now()).toISOString();
    this.parent = parent;
    const inherited = parent === undefined ? {} : { parentSessionId: parent.id };
    this.tags = Object.freeze({ ...inherited, ...options.tags, sessionId: id });
    this.dispatcher = options.dispatcher ?? new InProcessDispatcher({ logger });
    this.#reader = { id, tags: this.tags, slice: (type) => this.#view(type) };
    for (const type of [...telemetry, CodexThread]) this.#registry.store(type);
    this.install(visibilitySlice);
    this.#unsubscribe = telemetry.map((type) => this.#listen(type));
    if (parent !== undefined) parent.#children.add(this);
  }

  /** The sessions that belong to this one and are not closed. */
  get children(): readonly Session[] {
    return [...this.#children];
  }

  /** The records of a type, and what can be done with them. */
  slice<T extends object>(type: RecordKind<T>): Slice<Readonly<T>> {
    const view = this.#view(type);
    const slice: Slice<Readonly<T>> = {
      get size() {
        return view.size;
      },
      all: () => view.all(),
      latest: () => view.latest(),
      where: (holds) => view.where(holds),
      seed: (values) => this.#seed(type, (Array.isArray(values) ? values : [values]) as readonly object[]),
      clear: (where) => {
        this.#registry.store(type);
        this.dispatch(SliceCleared({ slice: type.typeName, where }));
      },
      append: (value) => {
        this.dispatch(type.make(value));
      },
      register: (event, reducer, options = {}) => {
        this.#registry.store(type, options.policy);
        this.#registry.register(type, event, reducer as unknown as Reducer<object, object>);
      },
    };
    return slice;
  }

  /** Puts one record, or several of one type, in place of all records of that type. */
  seed(records: object | readonly object[]): void {
    const all: readonly object[] = Array.isArray(records) ? records : [records as object];
    const type = recordTypeOf(all[0]);
    if (type === undefined || all.some((each) => recordTypeOf(each) !== type))
      throw new RecordError("seed() takes records of one type: make them with their type, Type({…})");
    this.#seed(type, all);
  }

  /** Adds a slice that was put together with `defineSlice`. */
  install<T extends object>(slice: SliceDefinition<T>): void {
    const { type, options, handlers } = slice;
    this.#registry.store(type, options.policy);
    for (const [event, handler] of handlers) {
      this.#registry.register(type, event, (view, happened) => {
        const state = (view.latest() ?? options.initial?.()) as T | undefined;
        return state === undefined ? undefined : replace<object>([handler(state, happened as never)]);
      });
    }
  }

  /** Lets an event change the slices that it concerns, then tells those who subscribed. */
  dispatch(event: object): DispatchResult {
    const followers = this.#apply(event);
    this.#publishing.add(event);
    try {
      return this.dispatcher.dispatch(event);
    } finally {
      this.#publishing.delete(event);
      for (const follower of followers) this.dispatch(follower);
    }
  }

  /** What the session holds now. Throws a SnapshotError where JSON cannot hold it. */
  snapshot(options: { readonly all?: boolean | undefined } = {}): SessionSnapshot {
    const { all: includesLogs = false } = options;
    const { clock = systemClock } = this.#options;
    const taken = [...this.#registry.stores].filter(
      (store) => store.size > 0 && (includesLogs || store.policy === "state"),
    );
    for (const store of taken) for (const item of store.all()) assertSerializable(item, store.type.typeName);
    return new SessionSnapshot({
      createdAt: new Date(clock.now()).toISOString(),
      sessionId: this.id,
      tags: this.tags,
      includesLogs,
      slices: taken.map((store) => ({ type: store.type.typeName, policy: store.policy, items: store.all() })),
    });
  }

  /**
   * Makes every slice hold what it held at the snapshot, which is nothing where the snapshot has none of it. Logs stay as
   * they are, unless asked for. Throws a SnapshotRestoreError, and changes nothing, where the snapshot does not fit.
   */
  restore(snapshot: SessionSnapshot, options: { readonly includeLogs?: boolean | undefined } = {}): void {
    restoreInto(this.#registry, snapshot, options.includeLogs ?? false);
  }

  /** Empties all slices. Reducers stay. */
  reset(): void {
    for (const store of this.#registry.stores) store.apply({ op: "clear" });
  }

  /** A session with the same content, reducers and policies, but an id, and, unless given, a dispatcher of its own. */
  clone(options: Omit<SessionOptions, "id"> = {}): Session {
    const { clock, logger, tags } = this.#options;
    const copy = new Session({ clock, logger, tags, ...options });
    copy.#registry = this.#registry.copy();
    return copy;
  }

  /** Leaves the dispatcher and the parent. What the session holds can still be read. */
  close(): void {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
    if (this.parent !== undefined) this.parent.#children.delete(this);
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #view<T extends object>(type: RecordKind<T>): SliceView<Readonly<T>> {
    // Looked up with every question: the slice may come into being, or be replaced by a clone's, in between.
    const store = (): SliceView<Readonly<T>> => this.#registry.peek(type) as unknown as SliceView<Readonly<T>>;
    return {
      get size() {
        return store().size;
      },
      all: () => store().all(),
      latest: () => store().latest(),
      where: (holds) => store().where(holds),
    };
  }

  #seed(type: { readonly typeName: string; make(value: unknown): object }, values: readonly object[]): void {
    const records = values.map((value) => type.make(value));
    this.#registry.store(type as RecordKind<object>);
    this.dispatch(SliceSeeded({ slice: type.typeName, values: records }));
  }

  /** Gives what is to be dispatched next: the records that came out of a tool or an evaluation. */
  #apply(event: object): readonly object[] {
    const type = recordTypeOf(event);
    if (type === undefined) throw new RecordError("Only records can be dispatched: make one with its type, Type({…})");
    if (SliceSeeded.is(event)) this.#system(event.slice, replace(event.values));
    else if (SliceCleared.is(event)) this.#system(event.slice, clear(event.where as ((value: object) => boolean) | undefined));
    else if (this.#registry.registrations(event) === undefined)
      this.#registry.store(type).apply({ op: "append", value: event });
    for (const { store, reduce } of this.#registry.registrations(event) ?? []) this.#reduce(store, reduce, event);
    return outcomeRecords(event);
  }

  #system(name: string, operation: SliceOp<object>): void {
    const store = this.#registry.find(name);
    if (store === undefined) throw new RecordError(`The session has no slice "${name}": use slice(Type)`);
    store.apply(operation);
  }

  #reduce(store: SliceStore, reduce: Reducer<object, object>, event: object): void {
    try {
      const operation = reduce(store, event, this.#reader);
      if (operation !== undefined) store.apply(operation);
    } catch (error) {
      this.#options.logger?.error?.(`A reducer of the slice "${store.type.typeName}" failed`, error);
    }
  }

  #listen(type: RecordKind<{ readonly sessionId: string | null }>): () => boolean {
    return this.dispatcher.subscribe(type, (event) => {
      // On a shared dispatcher, what names another session is that one's.
      const isForeign = event.sessionId !== null && event.sessionId !== this.id;
      if (isForeign || this.#publishing.has(event)) return;
      for (const follower of this.#apply(event)) this.dispatch(follower);
    });
  }
}
