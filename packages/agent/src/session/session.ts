import { PromptExecuted, PromptRendered, RenderedTools, ToolInvoked } from "../events/canonical.ts";
import { type AnyRecordType, type RecordKind, recordTypeOf } from "../events/record.ts";
import { RecordError } from "../events/session-errors.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { CodexThread } from "./codex-thread.ts";
import type { SliceDefinition } from "./define-slice.ts";
import { type Dispatcher, type DispatchResult, InProcessDispatcher } from "./dispatcher.ts";
import type { FeedbackCount } from "./feedback-count.ts";
import type { ReadonlySession, Reducer } from "./reducer.ts";
import { restoreInto } from "./restore.ts";
import { SessionState } from "./session-state.ts";
import type { Slice } from "./slice-accessor.ts";
import { SessionSnapshot } from "./snapshot.ts";
import { appendAll } from "./stock-reducers.ts";
import { SliceCleared, SliceSeeded } from "./system-events.ts";
import { TaskQueue } from "./task-queue.ts";
import { visibilitySlice } from "./visibility-overrides.ts";

/** Options of a {@link Session}. */
export interface SessionOptions {
  /** Default: a new UUID. */
  readonly id?: string | undefined;
  /** The dispatcher of the session's events. Default: one of its own. */
  readonly dispatcher?: Dispatcher | undefined;
  /** The session that this one belongs to. */
  readonly parent?: Session | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly clock?: Clock | undefined;
  /** Hears of reducers and handlers that fail. */
  readonly logger?: Logger | undefined;
}

/** The events that the session takes from its dispatcher. */
const telemetry = [PromptRendered, RenderedTools, ToolInvoked, PromptExecuted] as const;

/**
 * An agent's context over several evaluations: records in slices, which change only by events. What was changed can be
 * rolled back by restoring a snapshot; logs stay.
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
  /** The tool calls of this session. */
  readonly calls: TaskQueue = new TaskQueue();
  /** Counts by feedback provider. They outlast evaluations, so that the next one continues to count. */
  readonly feedbackCounts: Map<string, FeedbackCount> = new Map();
  readonly #options: SessionOptions;
  readonly #children = new Set<Session>();
  readonly #unsubscribe: (() => boolean)[];
  /** Events that are being published, of which the session need not hear by its own subscription. */
  readonly #publishing = new Set<object>();
  readonly #reader: ReadonlySession;
  #state: SessionState;

  constructor(options: SessionOptions = {}) {
    const { id = crypto.randomUUID(), parent, clock = systemClock, logger } = options;
    this.#options = options;
    this.id = id;
    this.createdAt = new Date(clock.now()).toISOString();
    this.parent = parent;
    const inherited = parent === undefined ? {} : { parentSessionId: parent.id };
    this.tags = Object.freeze({ ...inherited, ...options.tags, sessionId: id });
    this.dispatcher = options.dispatcher ?? new InProcessDispatcher({ logger });
    this.#reader = { id, tags: this.tags, slice: (type) => this.#state.view(type) };
    this.#state = new SessionState(logger);
    const { registry } = this.#state;
    registry.store(CodexThread);
    for (const type of telemetry) {
      // Told explicitly, so that the log is kept also when somebody reduces these events to something else.
      registry.store(type);
      registry.register(type, type, appendAll());
    }
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
    const view = this.#reader.slice(type);
    const slice: Slice<Readonly<T>> = {
      get size() {
        return view.size;
      },
      all: () => view.all(),
      latest: () => view.latest(),
      where: (holds) => view.where(holds),
      seed: (values) => this.#seed(type, (Array.isArray(values) ? values : [values]) as readonly object[]),
      clear: (where) => {
        this.#state.registry.store(type);
        this.dispatch(SliceCleared({ slice: type.typeName, where }));
      },
      append: (value) => {
        this.dispatch(type.make(value));
      },
      register: (event, reducer, options = {}) => {
        this.#state.registry.store(type, options.policy);
        this.#state.registry.register(type, event, reducer as unknown as Reducer<object, object>);
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
    this.#state.install(slice);
  }

  /** Applies an event to its slices, then notifies subscribers. */
  dispatch(event: object): DispatchResult {
    const followers = this.#state.apply(event, this.#reader);
    this.#publishing.add(event);
    try {
      return this.dispatcher.dispatch(event);
    } finally {
      this.#publishing.delete(event);
      for (const follower of followers) this.dispatch(follower);
    }
  }

  /** Captures the session. Throws a SnapshotError where JSON cannot hold it. */
  snapshot(options: { readonly all?: boolean | undefined } = {}): SessionSnapshot {
    const { all: includesLogs = false } = options;
    const { clock = systemClock } = this.#options;
    return new SessionSnapshot({
      createdAt: new Date(clock.now()).toISOString(),
      sessionId: this.id,
      tags: this.tags,
      includesLogs,
      slices: this.#state.slices(includesLogs),
    });
  }

  /**
   * Makes every slice hold what it held at the snapshot, which is nothing where the snapshot has none of it. Logs stay as
   * they are, unless asked for. Throws a SnapshotRestoreError, and changes nothing, where the snapshot does not fit.
   */
  restore(snapshot: SessionSnapshot, options: { readonly includeLogs?: boolean | undefined } = {}): void {
    restoreInto(this.#state.registry, snapshot, options.includeLogs ?? false);
  }

  /** Empties all slices. Reducers stay. */
  reset(): void {
    for (const store of this.#state.registry.stores) store.apply({ op: "clear" });
  }

  /** A session with the same content, reducers and policies, but an id, and, unless given, a dispatcher of its own. */
  clone(options: Omit<SessionOptions, "id"> = {}): Session {
    const { clock, logger, tags } = this.#options;
    const copy = new Session({ clock, logger, tags, ...options });
    copy.#state = this.#state.copy();
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

  #seed(type: AnyRecordType, values: readonly object[]): void {
    const records = values.map((value) => type.make(value));
    this.#state.registry.store(type);
    this.dispatch(SliceSeeded({ slice: type.typeName, values: records }));
  }

  #listen(type: RecordKind<{ readonly sessionId: string | null }>): () => boolean {
    return this.dispatcher.subscribe(type, (event) => {
      // On a shared dispatcher, what names another session is that one's.
      const isForeign = event.sessionId !== null && event.sessionId !== this.id;
      if (isForeign || this.#publishing.has(event)) return;
      for (const follower of this.#state.apply(event, this.#reader)) this.dispatch(follower);
    });
  }
}
