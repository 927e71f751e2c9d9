import type { NotificationMessage } from "@quire/jsonrpc";
import type { Thread, ThreadItem, ThreadStatus } from "@quire/protocol";
import { type RoutedParams, ThreadState } from "./thread-state.ts";

/** Ends of turns, also under the names that some servers use. */
const turnEnds: ReadonlySet<string> = new Set(["turn/completed", "turn/failed", "turn/cancelled"]);

/** The threads this client knows, and the way of a notification to them. */
export class ThreadRegistry {
  readonly #threads = new Map<string, ThreadState>();
  readonly #holds = new Set<NotificationMessage[]>();

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

  /** Forgets a thread: nobody here follows it any more. */
  forget(threadId: string): void {
    this.#threads.delete(threadId);
  }

  /** Threads whose events are wanted. */
  get live(): readonly ThreadState[] {
    return [...this.#threads.values()].filter((state) => state.live || state.running.length > 0);
  }

  /** Ends every turn that somebody waits for. */
  failAll(error: unknown): void {
    for (const state of this.#threads.values()) for (const log of state.running) state.fail(log, error);
  }

  /**
   * Routes a notification. Says `false` for one that is not shaped as its method demands; it is then left out, not
   * passed on to code that would trip over it.
   */
  receive(message: NotificationMessage): boolean {
    const params = message.params as (RoutedParams & ShapedParams) | null | undefined;
    if (params === undefined || params === null) return !turnEnds.has(message.method) || this.#endOnlyTurn(message);
    if (typeof params !== "object" || !isShaped(message.method, params)) return false;
    const { threadId } = params;
    if (typeof threadId !== "string") {
      if (message.method === "thread/started" && params.thread) this.#adopt(params.thread);
      return !turnEnds.has(message.method) || this.#endOnlyTurn(message);
    }
    const state = this.#threads.get(threadId);
    if (!state) {
      for (const held of this.#holds) held.push(message);
      return true;
    }
    this.#learn(state, message.method, params);
    state.receive(message, params);
    return true;
  }

  /**
   * Keeps the notifications of threads that are not known yet, for a call whose reply will name a new thread.
   * `release(id)` replays those of that thread; `release()` lets go of the rest.
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

  /** An end that names no turn can only mean the one that runs. */
  #endOnlyTurn(message: NotificationMessage): boolean {
    const running = [...this.#threads.values()].flatMap((state) => state.running.map((log) => ({ state, log })));
    const [only] = running;
    if (running.length !== 1 || !only) return false;
    only.state.deliver(only.log, message);
    return true;
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
        if (params.item) this.#learnChildren(state, params.item);
        break;
      case "item/completed":
        if (params.item?.type === "fileChange") state.fileChanges.delete(params.item.id);
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
  readonly delta?: unknown;
}

/** The few members that the client itself relies on. The full check of a message is `@quire/protocol/validate`'s. */
function isShaped(method: string, params: ShapedParams & RoutedParams): boolean {
  switch (method) {
    case "item/agentMessage/delta":
      return typeof params.delta === "string";
    case "item/started":
    case "item/completed":
      return typeof params.item === "object" && params.item !== null && typeof params.item.id === "string";
    case "turn/started":
    case "turn/completed":
      return params.turn === undefined || (typeof params.turn === "object" && params.turn !== null);
    default:
      return true;
  }
}
