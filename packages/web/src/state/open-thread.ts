import type { ServerPort } from "@quire/client";
import type { Thread, ThreadResumeParams, ThreadResumeResponse } from "@quire/protocol";
import { supports } from "@quire/protocol/versions";
import { replaceAll, type StoredTurns, takeNewest, takeOlder } from "./thread-history.ts";
import { ThreadModel } from "./thread-model.ts";
import { ThreadQueue } from "./thread-queue.ts";

/** Turns that are fetched at first. Enough for a screen or two; more come as one scrolls up. */
const pageSize = 20;
/** Who goes on scrolling up gets twice as many each time, up to this: the servers' own bound. */
const largestPage = 100;

/** What an open thread needs of its hub. */
export interface OpenThreadHost {
  readonly port: ServerPort;
  /** Called whenever something that is shown changed. */
  readonly changed: () => void;
  /** Takes what the server says of the thread. */
  readonly describe: (thread: Thread) => void;
}

/** A thread that is open: its content, and whether it is being loaded. */
export class OpenThread {
  readonly id: string;
  readonly model: ThreadModel;
  readonly queue: ThreadQueue;
  loading = false;
  loadingOlder = false;
  error: string | null = null;
  /** False while only what is heard live is kept, for a thread that nobody looks at. */
  shown = false;
  readonly #host: OpenThreadHost;
  #loads = 0;
  #nextPage = pageSize;

  constructor(id: string, cwd: string, host: OpenThreadHost) {
    this.id = id;
    this.model = new ThreadModel(cwd);
    this.queue = new ThreadQueue(id, host.port, host.changed);
    this.#host = host;
  }

  /** Takes a thread that was just started or forked: the server tells of it from here on. */
  adopt(
    response: Omit<ThreadResumeResponse, "initialTurnsPage"> & Pick<ThreadResumeResponse, "initialTurnsPage">,
  ): void {
    this.#take(response);
    this.loading = false;
    void this.queue.load();
  }

  /**
   * Resumes the thread, so that the hub hears of it, and takes its newest turns. A later call wins over an earlier one:
   * whatever answers arrive when, each thread is there once. `fresh` drops what is here.
   */
  async load(options: { readonly fresh?: boolean } = {}): Promise<void> {
    const load = ++this.#loads;
    this.loading = this.model.turns.length === 0;
    this.error = null;
    this.#nextPage = pageSize;
    this.#host.changed();
    try {
      const response = await this.#resume();
      if (load !== this.#loads) return;
      if (options.fresh === true) this.model.arrange([]);
      this.#take(response);
      void this.queue.load();
      if (!paged(response) && response.thread.turns.length === 0) await this.#readPage(load);
    } catch (error) {
      if (load === this.#loads) await this.#readOnly(load, error);
    }
    if (load !== this.#loads) return;
    this.loading = false;
    this.#host.changed();
  }

  /** Loads the turns before the oldest. */
  async loadOlder(): Promise<void> {
    const cursor = this.model.olderCursor;
    if (cursor === null || this.loadingOlder) return;
    this.loadingOlder = true;
    this.#host.changed();
    const load = this.#loads;
    try {
      const page = await this.#page(cursor, this.#nextPage);
      if (load === this.#loads) takeOlder(this.model, page);
      this.#nextPage = Math.min(largestPage, 2 * this.#nextPage);
    } finally {
      this.loadingOlder = false;
      this.#host.changed();
    }
  }

  /** The thread's history was cut: what the server has now is all there is. */
  async reload(): Promise<void> {
    replaceAll(this.model, { turns: [], olderCursor: null });
    await this.load();
  }

  async #resume(): Promise<ThreadResumeResponse> {
    const { port } = this.#host;
    const version = port.serverVersion;
    const params: ThreadResumeParams = { threadId: this.id };
    if (version === undefined || supports("thread/turns/list", version) !== false) {
      params.excludeTurns = true;
      params.initialTurnsPage = { limit: pageSize, sortDirection: "desc", itemsView: "full" };
    }
    return port.request("thread/resume", params);
  }

  #take(response: ThreadResumeResponse): void {
    this.#host.describe(response.thread);
    this.model.setSettings(response);
    const page = response.initialTurnsPage;
    const turns = page === null || page === undefined ? response.thread.turns : page.data.toReversed();
    takeNewest(this.model, { turns: turns ?? [], olderCursor: page?.nextCursor ?? null });
  }

  async #readPage(load: number): Promise<void> {
    const version = this.#host.port.serverVersion;
    if (version !== undefined && supports("thread/turns/list", version) === false) return;
    const page = await this.#page(null, pageSize);
    if (load === this.#loads) takeNewest(this.model, page);
  }

  async #page(cursor: string | null, limit: number): Promise<StoredTurns> {
    const params = { threadId: this.id, cursor, limit, sortDirection: "desc", itemsView: "full" } as const;
    const { data, nextCursor } = await this.#host.port.request("thread/turns/list", params);
    return { turns: data.toReversed(), olderCursor: nextCursor ?? null };
  }

  /** A thread that cannot be resumed, such as one without a turn so far or an archived one, can often still be read. */
  async #readOnly(load: number, reason: unknown): Promise<void> {
    try {
      const { thread } = await this.#host.port.request("thread/read", { threadId: this.id, includeTurns: true });
      if (load !== this.#loads) return;
      this.#host.describe(thread);
      takeNewest(this.model, { turns: thread.turns, olderCursor: null });
    } catch {
      if (load === this.#loads) this.error = reason instanceof Error ? reason.message : String(reason);
    }
  }
}

function paged(response: ThreadResumeResponse): boolean {
  return response.initialTurnsPage !== null && response.initialTurnsPage !== undefined;
}
