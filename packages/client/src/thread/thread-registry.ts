import type { NotificationMessage } from "@quire/jsonrpc";
import { isTerminalTurnStatus, type Thread, type ThreadItem, type ThreadStatus, type Turn } from "@quire/protocol";
import type { Speaker } from "../link/delta-reader.ts";
import type { TurnLog } from "../turn/turn-log.ts";
import { isObject, isShaped, type LooseParams, turnEnds } from "./notification-shapes.ts";
import { type RoutedParams, ThreadState } from "./thread-state.ts";

/** The threads this client knows, and the way of a notification to them. */
export class ThreadRegistry {
  readonly #threads = new Map<string, ThreadState>();
  /** The thread of the last notification that named one. */
  #latest: ThreadState | undefined;
  readonly #holds = new Set<NotificationMessage[]>();
  /** Notifications for threads that are catching up, by thread. */
  readonly #catchingUp = new Map<string, NotificationMessage[]>();

  /** The state of a thread, made when first asked for. */
  of(threadId: string): ThreadState {
    let state = this.#threads.get(threadId);
    if (!state) {
      state = new ThreadState(threadId);
      this.#threads.set(threadId, state);
    }
    return state;
  }

  /** The state of a thread, if it is known. */
  find(threadId: string): ThreadState | undefined {
    return this.#threads.get(threadId);
  }

  /** The state of the same thread that is known; if none is, this one from now on. */
  keep(state: ThreadState): ThreadState {
    const known = this.#threads.get(state.id);
    if (!known) this.#threads.set(state.id, state);
    return known ?? state;
  }

  /** Forgets a thread: nobody here follows it any more. */
  forget(threadId: string): void {
    this.#threads.delete(threadId);
    this.#latest = undefined;
  }

  /** Threads whose events are wanted. */
  get live(): readonly ThreadState[] {
    return [...this.#threads.values()].filter((state) => state.live || state.running.length > 0);
  }

  /** Ends every turn that somebody waits for. */
  failAll(error: Error): void {
    for (const state of this.#threads.values()) state.lose(error);
  }

  /**
   * The turn to which pieces of an agent's message, by far the most frequent notification, can go the short way: that of
   * the one before them. None where that is not it, or somebody else has to see them too; then {@link receive} is the way.
   */
  spokenIn({ threadId, turnId }: Speaker): TurnLog | undefined {
    const state = this.#latest;
    if (!state || state.id !== threadId || state.listeners.size > 0 || this.#catchingUp.size > 0) return undefined;
    return state.latest?.id === turnId ? state.latest : undefined;
  }

  /**
   * Routes a notification and gives it back, an end of a turn in full even where the server left something out.
   * `undefined` for one that is not shaped as its method demands; it is then left out, not passed on to code that would
   * trip over it.
   */
  receive(incoming: NotificationMessage): NotificationMessage | undefined {
    const message = turnEnds.has(incoming.method) ? this.#completeEnd(incoming) : incoming;
    if (!message || !isShaped(message.method, message.params)) return undefined;
    const params = (message.params ?? {}) as RoutedParams & ShapedParams;
    const { threadId } = params;
    if (typeof threadId !== "string") {
      if (message.method === "thread/started" && params.thread) this.#adopt(params.thread);
      return message;
    }
    const state = this.#threads.get(threadId);
    if (!state) {
      for (const held of this.#holds) held.push(message);
      return message;
    }
    this.#latest = state;
    this.#learn(state, message.method, params);
    state.receive(message, params);
    return message;
  }

  /**
   * Keeps the notifications of threads that are not known yet, for a call whose reply will name a new thread.
   * `release(id)` replays those of that thread; `release()` releases the rest.
   */
  holdUnknown(): { release(threadId?: string): void } {
    const held: NotificationMessage[] = [];
    this.#holds.add(held);
    return {
      release: (threadId) => {
        this.#holds.delete(held);
        for (const message of held.splice(0)) {
          if ((message.params as RoutedParams).threadId === threadId) this.receive(message);
        }
      },
    };
  }

  /**
   * Has the end of a turn that names none delivered again when the turn that is just being started is known: it can
   * come right behind the reply that names the turn. Says whether there is such a turn.
   */
  awaitTurn({ method, params }: NotificationMessage, deliver: () => void): boolean {
    if (!turnEnds.has(method)) return false;
    const { threadId } = (isObject(params) ? params : {}) as RoutedParams;
    const meant = [...this.#threads.values()].filter((state) => threadId === undefined || state.id === threadId);
    return meant.some((state) => state.afterStart(deliver));
  }

  /** Tells whether the notification has to wait, since its thread first gets what came before it. */
  postpone(message: NotificationMessage): boolean {
    if (this.#catchingUp.size === 0) return false;
    const waiting = this.#catchingUp.get((message.params as RoutedParams | null | undefined)?.threadId ?? "");
    waiting?.push(message);
    return waiting !== undefined;
  }

  /** Lets a thread's notifications wait. The returned function ends that and gives those that came. */
  beginCatchUp(threadId: string): () => readonly NotificationMessage[] {
    const waiting: NotificationMessage[] = [];
    this.#catchingUp.set(threadId, waiting);
    return () => {
      if (this.#catchingUp.get(threadId) === waiting) this.#catchingUp.delete(threadId);
      return waiting;
    };
  }

  /**
   * The end of a turn as today's Codex tells it. Some servers tell it under other names, without the turn's data, or
   * with nothing at all: that can only mean the one turn that runs.
   */
  #completeEnd(incoming: NotificationMessage): NotificationMessage | undefined {
    const { method } = incoming;
    const params = (incoming.params ?? {}) as LooseParams;
    const { threadId, turnId, turn = {}, error, message } = params;
    if (!isObject(params) || !isObject(turn)) return undefined;
    const named = { threadId, turnId: turn.id ?? turnId };
    const ended = isNamed(named) ? named : this.#onlyTurn(named);
    if (!ended) return undefined;
    const known = method === "turn/completed" && isTerminalTurnStatus(turn.status as Turn["status"]) && turn.status;
    if (known && turn.id === ended.turnId && threadId === ended.threadId) return incoming;
    const reason = error ?? (typeof message === "string" ? { message } : null);
    const status = known || turnEnds.get(method);
    const full = { items: [], error: reason, ...turn, id: ended.turnId, status };
    return { ...incoming, method: "turn/completed", params: { ...params, ...ended, turn: full } };
  }

  #onlyTurn({ threadId, turnId }: { threadId: unknown; turnId: unknown }): TurnName | undefined {
    const running = [...this.#threads.values()].flatMap((state) => state.open);
    const meant = running.filter(
      (log) => (threadId === undefined || log.threadId === threadId) && (turnId === undefined || log.id === turnId),
    );
    const [only] = meant;
    return only && meant.length === 1 ? { threadId: only.threadId, turnId: only.id } : undefined;
  }

  #learn(state: ThreadState, method: string, params: ShapedParams): void {
    switch (method) {
      case "thread/status/changed":
        state.status = params.status;
        break;
      case "thread/name/updated":
        if (state.data) state.data = { ...state.data, name: params.threadName ?? null };
        break;
      case "item/started":
        if (params.item?.type === "fileChange") state.fileChanges.set(params.item.id, params.item.changes);
        if (params.item?.type === "commandExecution") state.commands.set(params.item.id, params.item.command);
        if (params.item) this.#learnChildren(state, params.item);
        break;
      case "item/completed":
        if (params.item?.type === "fileChange") state.fileChanges.delete(params.item.id);
        if (params.item?.type === "commandExecution") state.commands.delete(params.item.id);
        if (params.item) this.#learnChildren(state, params.item);
        break;
      case "turn/completed":
        state.fileChanges.clear();
        break;
    }
  }

  #learnChildren(state: ThreadState, item: ThreadItem): void {
    if (item.type === "collabAgentToolCall" && item.tool === "spawnAgent") {
      for (const id of item.receiverThreadIds) this.#addChild(state, id);
    } else if (item.type === "subAgentActivity") {
      this.#addChild(state, item.agentThreadId);
    }
  }

  #addChild(parent: ThreadState, childId: string): void {
    if (childId === parent.id) return;
    parent.children.add(childId);
    this.of(childId);
  }

  #adopt(thread: Thread): void {
    const parent = thread.parentThreadId ? this.#threads.get(thread.parentThreadId) : undefined;
    if (parent) this.#addChild(parent, thread.id);
    const state = this.#threads.get(thread.id);
    if (state) state.data = thread;
  }
}

interface ShapedParams {
  readonly thread?: Thread;
  readonly item?: ThreadItem;
  readonly status?: ThreadStatus;
  readonly threadName?: string | null;
}

/** A turn and its thread: ids of turns are unique only within their thread. */
interface TurnName {
  readonly threadId: string;
  readonly turnId: string;
}

function isNamed(name: { threadId: unknown; turnId: unknown }): name is TurnName {
  return typeof name.threadId === "string" && typeof name.turnId === "string";
}
