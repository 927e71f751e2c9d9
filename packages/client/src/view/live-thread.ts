import type { ServerNotifications, Thread, ThreadResumeParams, ThreadResumeResponse } from "@quire/protocol";
import { supports } from "@quire/protocol/versions";
import { failureMessage } from "../lib/failure-message.ts";
import type { ServerPort } from "../port/server-port.ts";
import { contentMethods } from "./fold-notification.ts";
import type { HistoryPage, LiveThreadSnapshot, ThreadSnapshot } from "./snapshot.ts";
import { ThreadQueue } from "./thread-queue.ts";
import { ThreadView, type ThreadViewOptions } from "./thread-view.ts";

/** Turns in the first page: a screen or two. More are loaded as the user scrolls up. */
const pageSize = 20;
/** Each further page is twice as large as the one before, up to the servers' own bound. */
const largestPage = 100;

/** Options of a {@link LiveThread}. */
export interface LiveThreadOptions extends ThreadViewOptions {
  /** Called with the server's description of the thread whenever it is loaded. */
  readonly onThread?: ((thread: Thread) => void) | undefined;
}

type LoadState = Pick<LiveThreadSnapshot, "loading" | "loadingOlder" | "error">;

/** Opens a thread of a server and follows it; returns when its newest turns are there. */
export async function openThread(
  port: ServerPort,
  threadId: string,
  options: LiveThreadOptions = {},
): Promise<LiveThread> {
  const thread = new LiveThread(port, threadId, options);
  thread.follow();
  await thread.load();
  return thread;
}

/** A {@link ThreadView} of a thread on a server: loads its history page by page, and its queue. */
export class LiveThread extends ThreadView {
  readonly id: string;
  readonly queue: ThreadQueue;
  readonly #port: ServerPort;
  readonly #onThread: LiveThreadOptions["onThread"];
  #state: LoadState = { loading: false, loadingOlder: false, error: null };
  #last: { readonly content: ThreadSnapshot; readonly snapshot: LiveThreadSnapshot } | null = null;
  #stops: (() => void)[] = [];
  #loads = 0;
  #nextPage = pageSize;

  constructor(port: ServerPort, id: string, options: LiveThreadOptions = {}) {
    super(options);
    this.id = id;
    this.#port = port;
    this.#onThread = options.onThread;
    this.queue = new ThreadQueue(id, port, () => this.#set({}));
  }

  override snapshot(): LiveThreadSnapshot {
    const content = super.snapshot();
    if (this.#last?.content === content) return this.#last.snapshot;
    const snapshot = { ...content, ...this.#state, queue: this.queue.messages };
    this.#last = { content, snapshot };
    return snapshot;
  }

  /** Listens to the server until {@link close}, and loads what was missed when a lost connection is back. */
  follow(): void {
    if (this.#stops.length > 0) return;
    const methods = [...contentMethods, "thread/reverted", "thread/queue/changed"] as (keyof ServerNotifications)[];
    this.#stops = methods.map((method) =>
      this.#port.onNotification(method, (params) => {
        if ((params as { readonly threadId?: unknown }).threadId === this.id) this.applyNotification(method, params);
      }),
    );
    this.#stops.push(
      this.#port.onReconnected(() => {
        this.missedEvents();
        void this.load();
      }),
    );
  }

  /** Stops listening. The thread stays loaded on the server. */
  close(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#loads++;
  }

  override applyNotification(method: string, params: unknown): boolean {
    if (method === "thread/reverted") void this.reload();
    else if (method === "thread/queue/changed" && this.#loads > 0) void this.queue.load();
    return super.applyNotification(method, params);
  }

  /** Adopts a thread that was just started or forked, to which the connection is subscribed already. */
  adopt(response: Omit<ThreadResumeResponse, "initialTurnsPage">): void {
    this.#loads++;
    this.#take(response);
    this.#set({ loading: false });
    void this.queue.load();
  }

  /**
   * Resumes the thread, which subscribes the connection to it, and merges its newest turns. The latest call wins.
   * Never rejects: a failure is the snapshot's `error`.
   */
  async load(): Promise<void> {
    const load = ++this.#loads;
    this.#nextPage = pageSize;
    this.#set({ loading: super.snapshot().turns.length === 0, error: null });
    try {
      const response = await this.#resume();
      if (load !== this.#loads) return;
      this.#take(response);
      void this.queue.load();
      if (!isPaged(response) && response.thread.turns.length === 0) await this.#readPage(load);
    } catch (error) {
      if (load === this.#loads) await this.#readOnly(load, error);
    }
    if (load === this.#loads) this.#set({ loading: false });
  }

  /** Loads the turns before the oldest one. */
  async loadOlder(): Promise<void> {
    const cursor = super.snapshot().olderCursor;
    if (cursor === null || this.#state.loadingOlder) return;
    this.#set({ loadingOlder: true });
    const load = this.#loads;
    try {
      const page = await this.#page(cursor, this.#nextPage);
      if (load === this.#loads) this.prependHistory(page);
      this.#nextPage = Math.min(largestPage, 2 * this.#nextPage);
    } finally {
      this.#set({ loadingOlder: false });
    }
  }

  /** Replaces the content by what the server has now, as after its history was cut. */
  async reload(): Promise<void> {
    this.clear();
    await this.load();
  }

  #set(state: Partial<LoadState>): void {
    this.#state = { ...this.#state, ...state };
    this.#last = null;
    this.changed();
  }

  get #canPage(): boolean {
    const version = this.#port.serverVersion;
    return version === undefined || supports("thread/turns/list", version) !== false;
  }

  #resume(): Promise<ThreadResumeResponse> {
    const params: ThreadResumeParams = { threadId: this.id };
    if (this.#canPage) {
      params.excludeTurns = true;
      params.initialTurnsPage = { limit: pageSize, sortDirection: "desc", itemsView: "full" };
    }
    return this.#port.request("thread/resume", params);
  }

  #take(response: ThreadResumeResponse): void {
    this.#onThread?.(response.thread);
    this.updateSettings(response);
    const page = response.initialTurnsPage;
    const turns = page === null || page === undefined ? response.thread.turns : page.data.toReversed();
    this.mergeHistory({ turns: turns ?? [], olderCursor: page?.nextCursor ?? null });
  }

  async #readPage(load: number): Promise<void> {
    if (!this.#canPage) return;
    const page = await this.#page(null, pageSize);
    if (load === this.#loads) this.mergeHistory(page);
  }

  async #page(cursor: string | null, limit: number): Promise<HistoryPage> {
    const params = { threadId: this.id, cursor, limit, sortDirection: "desc", itemsView: "full" } as const;
    const { data, nextCursor } = await this.#port.request("thread/turns/list", params);
    return { turns: data.toReversed(), olderCursor: nextCursor ?? null };
  }

  /** Reads a thread that cannot be resumed, such as an archived one. */
  async #readOnly(load: number, reason: unknown): Promise<void> {
    const read = (includeTurns: boolean) => this.#port.request("thread/read", { threadId: this.id, includeTurns });
    try {
      const { thread } = await read(true).catch(async () => {
        const found = await read(false);
        // A thread without a message has no turns to read.
        if (found.thread.preview !== "") throw reason;
        return found;
      });
      if (load !== this.#loads) return;
      this.#onThread?.(thread);
      this.mergeHistory({ turns: thread.turns, olderCursor: null });
    } catch {
      if (load === this.#loads) this.#set({ error: failureMessage(reason) });
    }
  }
}

function isPaged({ initialTurnsPage }: ThreadResumeResponse): boolean {
  return initialTurnsPage !== null && initialTurnsPage !== undefined;
}
