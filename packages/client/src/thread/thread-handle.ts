import { ConnectionError, type NotificationMessage } from "@quire/jsonrpc";
import type {
  ResponseItem,
  ServerNotification,
  Thread,
  ThreadForkParams,
  ThreadItem,
  ThreadReadResponse,
  ThreadStatus,
  Turn,
} from "@quire/protocol";
import type { Page } from "../calls/cursor-methods.ts";
import { Paged, type PageOptions } from "../calls/paged.ts";
import { pages } from "../calls/pages.ts";
import { hasNoTurnYet, isMissingMethod, needsPages } from "../link/missing-method.ts";
import type { CallOptions } from "../port/server-port.ts";
import { TurnHandle } from "../turn/turn-handle.ts";
import type { TurnInput } from "../turn/turn-input.ts";
import type { TurnResult } from "../turn/turn-result.ts";
import { TurnStream } from "../turn/turn-stream.ts";
import type { ReviewOptions, ReviewResult } from "./review.ts";
import {
  controlsOf,
  followTurn,
  type JsonOutputOptions,
  type OutputOptions,
  type RunOptions,
  runTurn,
  type TurnHost,
  type TurnOptions,
} from "./run-turn.ts";
import { ThreadEvents, type ThreadEventsOptions } from "./thread-events.ts";
import type { ThreadRegistry } from "./thread-registry.ts";
import type { ThreadState } from "./thread-state.ts";

/** The parts of the client that a thread handle needs. */
export interface ThreadHost extends TurnHost {
  readonly registry: ThreadRegistry;
}

/** A thread that this client follows: run turns on it, look at its history, change it. */
export class ThreadHandle {
  readonly #host: ThreadHost;
  readonly #given: ThreadState;

  /** @internal Made by the client. */
  constructor(host: ThreadHost, state: ThreadState) {
    this.#host = host;
    this.#given = state;
  }

  /** A handle may be used after {@link unsubscribe}: then its thread is known again, or events would find nobody. */
  get #state(): ThreadState {
    return this.#host.registry.keep(this.#given);
  }

  /** The thread's id. */
  get id(): string {
    return this.#state.id;
  }

  /** The server's latest data of the thread; undefined for a sub-agent's thread that was never read. */
  get data(): Thread | undefined {
    return this.#state.data;
  }

  /** Its latest known status: idle or at work. */
  get status(): ThreadStatus | undefined {
    return this.#state.status ?? this.#state.data?.status;
  }

  /** Starts a turn. The handle is given at once: iterate it, await it, or both. */
  run(input: TurnInput, options?: TurnOptions & { readonly output?: undefined }): TurnHandle;
  run<Output>(input: TurnInput, options: OutputOptions<Output>): TurnHandle<Output>;
  run(input: TurnInput, options: JsonOutputOptions): TurnHandle<unknown>;
  run(input: TurnInput, options?: RunOptions): TurnHandle<unknown> {
    return new TurnHandle(runTurn(this.#host, this.#state, input, options));
  }

  /** Starts a turn as {@link run} does, and gives a handle that is no promise: an async function can return it. */
  stream(input: TurnInput, options?: TurnOptions & { readonly output?: undefined }): TurnStream<TurnResult>;
  stream<Output>(input: TurnInput, options: OutputOptions<Output>): TurnStream<TurnResult<Output>>;
  stream(input: TurnInput, options: JsonOutputOptions): TurnStream<TurnResult<unknown>>;
  stream(input: TurnInput, options?: RunOptions): TurnStream<TurnResult<unknown>> {
    return new TurnStream(runTurn(this.#host, this.#state, input, options));
  }

  /** Has changes reviewed. The handle is given at once: iterate it for its events, await it for the reviewer's text. */
  review(options: ReviewOptions): TurnHandle<undefined, ReviewResult> {
    const parts = import("./review.ts").then(({ startReview }) => startReview(this.#host, this.#state, options));
    return new TurnHandle({
      log: parts.then(({ log }) => log),
      result: parts.then(({ result }) => result),
      controls: controlsOf(this.#host.port),
    });
  }

  /** Shortens the history that the model sees; resolves when that is done. */
  async compact(options: CallOptions = {}): Promise<TurnResult> {
    const started = nextCompaction(this.#state);
    const start = async () => {
      await this.#host.port.request("thread/compact/start", { threadId: this.id });
      return Promise.race([started.id, this.#unlessLost()]);
    };
    try {
      const parts = followTurn(this.#host, this.#state, start, { ...options, finish: async (result) => result });
      return await new TurnStream(parts).result;
    } finally {
      started.stop();
    }
  }

  /** Branches off: a new thread with the history so far. */
  async fork(params: Omit<ThreadForkParams, "threadId"> = {}, options?: CallOptions): Promise<ThreadHandle> {
    const { thread } = await this.#host.port.request("thread/fork", { ...params, threadId: this.id }, options);
    const state = this.#host.registry.of(thread.id);
    state.data = thread;
    state.live = true;
    state.tools = this.#state.tools;
    return new ThreadHandle(this.#host, state);
  }

  /**
   * Takes the last turns back, out of the history but not out of the files. Newer servers have `thread/revert`, which
   * names a turn; older ones `thread/rollback`, which counts. From 0.148 to 0.155 it depends on the thread which works.
   */
  async rollback(turns = 1, options?: CallOptions): Promise<void> {
    try {
      await this.#revert(turns, options);
    } catch (error) {
      if (!isMissingMethod(error, "thread/revert") && !needsPages(error)) throw error;
      const params = { threadId: this.id, numTurns: turns };
      await this.#host.port.requestUntyped("thread/rollback", params, options).catch((older: unknown) => {
        throw isMissingMethod(older, "thread/rollback") ? error : older;
      });
    }
  }

  async #revert(turns: number, options?: CallOptions): Promise<void> {
    const { port } = this.#host;
    const params = { threadId: this.id, limit: turns, sortDirection: "desc" } as const;
    const { data } = await port.request("thread/turns/list", params, options);
    const first = data[turns - 1];
    if (!first) throw new RangeError(`The thread has ${data.length} turns, so ${turns} cannot be taken back`);
    await port.request("thread/revert", { threadId: this.id, beforeTurnId: first.id }, options);
  }

  /** Gives the thread a name. */
  async rename(name: string, options?: CallOptions): Promise<void> {
    await this.#host.port.request("thread/name/set", { threadId: this.id, name }, options);
  }

  /** Adds items to the history as if the model had seen them. */
  async inject(items: ResponseItem[], options?: CallOptions): Promise<void> {
    await this.#host.port.request("thread/inject_items", { threadId: this.id, items }, options);
  }

  /** Puts the thread away; it no longer shows in lists. */
  async archive(options?: CallOptions): Promise<void> {
    await this.#host.port.request("thread/archive", { threadId: this.id }, options);
    this.#state.live = false;
  }

  /** Stops following the thread. Turns that are still awaited are followed to their end. */
  async unsubscribe(options?: CallOptions): Promise<void> {
    this.#state.live = false;
    await this.#host.port.request("thread/unsubscribe", { threadId: this.id }, options);
    // It may have been resumed meanwhile.
    if (!this.#state.live && this.#state.running.length === 0) this.#host.registry.forget(this.id);
  }

  /** Reads the thread as stored, without its turns. */
  async read(options?: CallOptions): Promise<Thread> {
    const params = { threadId: this.id, includeTurns: false };
    const { thread }: ThreadReadResponse = await this.#host.port.request("thread/read", params, options);
    this.#state.data = thread;
    return thread;
  }

  /** Its turns, newest first, paged in as they are read. Servers before 0.122 give them all at once. */
  turns(options: PageOptions = {}): Paged<Turn> {
    const newer = () => pages(this.#host.port, "thread/turns/list", { threadId: this.id }, options).pages();
    return new Paged(() => this.#history("thread/turns/list", newer, (turns) => turns.reverse(), options), options);
  }

  /** Its items, oldest first, paged in as they are read. Servers before 0.151 give them all at once. */
  items(options: PageOptions = {}): Paged<ThreadItem> {
    const list = pages(this.#host.port, "thread/items/list", { threadId: this.id }, options);
    const newer = async function* (): AsyncGenerator<Page<ThreadItem>, undefined> {
      for await (const page of list.pages()) yield { ...page, data: page.data.map(({ item }) => item) };
      return undefined;
    };
    const older = (turns: Turn[]) => turns.flatMap(({ items }) => items);
    return new Paged(() => this.#history("thread/items/list", newer, older, options), options);
  }

  /** Pages where the server has them; else the whole thread as one. */
  async *#history<T>(
    method: string,
    newer: () => AsyncGenerator<Page<T>, undefined>,
    older: (turns: Turn[]) => T[],
    options: PageOptions,
  ): AsyncGenerator<Page<T>, undefined> {
    try {
      return yield* newer();
    } catch (error) {
      if (!isMissingMethod(error, method) && !hasNoTurnYet(error)) throw error;
      yield { data: older(await this.#allTurns(options)), nextCursor: null };
      return undefined;
    }
  }

  async #allTurns(options: PageOptions): Promise<Turn[]> {
    try {
      const params = { threadId: this.id, includeTurns: true };
      return (await this.#host.port.request("thread/read", params, options)).thread.turns;
    } catch (error) {
      // Codex has nothing to list before the first message.
      if (hasNoTurnYet(error) && (await this.read(options)).preview === "") return [];
      throw error;
    }
  }

  /** All later notifications of the thread, including those that other clients cause. */
  events(
    options: ThreadEventsOptions = {},
  ): AsyncIterator<ServerNotification, undefined> & AsyncIterable<ServerNotification> {
    return new ThreadEvents(this.#host, this.#state, options);
  }

  /** Rejects when what is waited for cannot come any more. */
  async #unlessLost(): Promise<never> {
    const error = await this.#host.port.ended;
    throw error ?? new ConnectionError("closed", "The client was closed", { mayHaveRun: true });
  }

  /** The threads of its sub-agents, in the order in which they were started. `data` has nickname and role once read. */
  get children(): readonly ThreadHandle[] {
    return [...this.#state.children].map((id) => new ThreadHandle(this.#host, this.#host.registry.of(id)));
  }
}

/** The turn of the compaction that is about to begin: the call that starts it does not name it. */
function nextCompaction(state: ThreadState): { readonly id: Promise<string>; stop(): void } {
  let listener = (_message: NotificationMessage) => {};
  const id = new Promise<string>((resolve) => {
    listener = ({ method, params }) => {
      const { turn, turnId, item } = params as { turn?: Turn; turnId?: string; item?: ThreadItem };
      if (method === "turn/started" && turn) resolve(turn.id);
      // Codex 0.98 announces no turn here, only the item.
      else if (item?.type === "contextCompaction" && turnId !== undefined) resolve(turnId);
    };
    state.listeners.add(listener);
  });
  return { id, stop: () => void state.listeners.delete(listener) };
}
