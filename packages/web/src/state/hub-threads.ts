import { RpcError } from "@quire/client";
import type { Thread, ThreadSourceKind } from "@quire/protocol";
import type { HubPort } from "../link/hub-port.ts";
import { messageOf } from "./message-of.ts";
import { keyText, type Loadable } from "./model.ts";
import { ThreadRecord } from "./thread-record.ts";

/** Threads of one page of a list. */
const pageSize = 50;
/** Threads that are looked up one by one after a list: those that the server holds but does not list. */
const lookUpLimit = 50;

/** Everything but the server's own helpers. Left out, a server lists only what people started by hand. */
const sourceKinds: ThreadSourceKind[] = [
  "cli",
  "vscode",
  "exec",
  "appServer",
  "subAgent",
  "subAgentThreadSpawn",
  "subAgentOther",
  "unknown",
];

/** The hub, as its threads see it. */
export interface HubThreadsHost {
  readonly hub: string;
  readonly port: HubPort;
  readonly changed: () => void;
  readonly isUnread: (threadId: string) => boolean;
  readonly isFailed: (threadId: string) => boolean;
}

/** The threads of one hub that lists show, each once, by its id. */
export class HubThreads {
  readonly records: Map<string, ThreadRecord> = new Map();
  more: string | null = null;
  readonly #host: HubThreadsHost;
  #state: Omit<Loadable<never>, "value"> = { loading: false, error: null };
  #loaded = false;
  #loads = 0;
  readonly #lookUps = new Set<string>();

  constructor(host: HubThreadsHost) {
    this.#host = host;
  }

  put(thread: Thread, flags: { readonly listed?: boolean; readonly archived?: boolean } = {}): ThreadRecord {
    let record = this.records.get(thread.id);
    if (record === undefined) {
      record = new ThreadRecord(this.#host.hub, { ...thread, turns: [] });
      record.set({ unread: this.#host.isUnread(thread.id), failed: this.#host.isFailed(thread.id) });
      this.records.set(thread.id, record);
    } else {
      record.update(thread);
    }
    // What is not kept, such as a question for a commit message, is no thread of the user.
    if (flags.listed === true && thread.ephemeral !== true) record.set({ listed: true });
    if (flags.archived !== undefined) record.set({ archived: flags.archived });
    this.#host.changed();
    return record;
  }

  find(id: string): ThreadRecord | undefined {
    return this.records.get(id);
  }

  /** Looks up a thread that a notification named, one request at a time for each. */
  async lookUp(threadId: string): Promise<void> {
    if (this.#lookUps.has(threadId)) return;
    this.#lookUps.add(threadId);
    try {
      const { thread } = await this.#host.port.request("thread/read", { threadId, includeTurns: false });
      this.put(thread, { listed: true });
    } catch {
      // A thread that the server does not give away cannot be shown.
    } finally {
      this.#lookUps.delete(threadId);
    }
  }

  /** True for a sub-agent of another thread, at any depth. */
  isDescendant(threadId: string, ancestor: string): boolean {
    let at = this.records.get(threadId)?.parent ?? null;
    for (let depth = 0; at !== null && depth < 16; depth++) {
      if (at === ancestor) return true;
      at = this.records.get(at)?.parent ?? null;
    }
    return false;
  }

  /** Reloads the newest page, and loaded threads that the list leaves out. */
  async refresh(): Promise<void> {
    const load = ++this.#loads;
    this.#set({ loading: true, error: null });
    try {
      const { data, nextCursor } = await this.#list(null, false);
      if (load !== this.#loads) return;
      for (const thread of data) this.put(thread, { listed: true, archived: false });
      this.more = nextCursor ?? null;
      this.#loaded = true;
      this.#set({ loading: false, error: null });
      await this.#lookUpLoaded();
    } catch (error) {
      if (load === this.#loads) this.#set({ loading: false, error: messageOf(error) });
    }
  }

  async loadMore(): Promise<void> {
    if (this.more === null || this.#state.loading) return;
    const load = this.#loads;
    this.#set({ loading: true, error: null });
    try {
      const { data, nextCursor } = await this.#list(this.more, false);
      if (load !== this.#loads) return;
      for (const thread of data) this.put(thread, { listed: true, archived: false });
      this.more = nextCursor ?? null;
      this.#set({ loading: false, error: null });
    } catch (error) {
      if (load === this.#loads) this.#set({ loading: false, error: messageOf(error) });
      throw error;
    }
  }

  async archived(cursor: string | null): Promise<{ records: readonly ThreadRecord[]; next: string | null }> {
    const { data, nextCursor } = await this.#list(cursor, true);
    return { records: data.map((thread) => this.put(thread, { archived: true })), next: nextCursor ?? null };
  }

  /** Names and, where the server can, contents; archived threads are not searched. */
  async search(term: string, signal?: AbortSignal): Promise<readonly { record: ThreadRecord; snippet: string }[]> {
    const { port } = this.#host;
    const found = (thread: Thread, snippet = ""): { record: ThreadRecord; snippet: string } => ({
      record: this.put(thread),
      snippet,
    });
    try {
      const params = { searchTerm: term, limit: 30, sourceKinds };
      const { data } = await port.request("thread/search", params, { signal });
      return this.#withNamed(
        term,
        data.map(({ thread, snippet }) => found(thread, snippet)),
      );
    } catch (error) {
      if (!RpcError.is(error)) throw error;
    }
    const { data } = await port.request("thread/list", { searchTerm: term, limit: 30, sourceKinds }, { signal });
    const needle = term.toLocaleLowerCase();
    // Servers before 0.118 ignore the term.
    const fits = ({ name, preview }: Thread): boolean =>
      `${name ?? ""}\n${preview}`.toLocaleLowerCase().includes(needle);
    return this.#withNamed(
      term,
      data.filter(fits).map((thread) => found(thread)),
    );
  }

  /** Codex searches what was said, not the names that were given since: those that are known here are added. */
  #withNamed(
    term: string,
    hits: readonly { record: ThreadRecord; snippet: string }[],
  ): readonly { record: ThreadRecord; snippet: string }[] {
    const needle = term.toLocaleLowerCase();
    const found = new Set(hits.map(({ record }) => record));
    const named = [...this.records.values()].filter(
      (record) =>
        record.flags.listed &&
        !record.flags.archived &&
        !found.has(record) &&
        (record.summary(true).name ?? "").toLocaleLowerCase().includes(needle),
    );
    return [...hits, ...named.map((record) => ({ record, snippet: "" }))];
  }

  /** The listed threads, newest first. */
  list(): Loadable<readonly string[]> {
    const shown = [...this.records.values()].filter(({ flags }) => flags.listed && !flags.archived);
    shown.sort((a, b) => b.updatedAt - a.updatedAt || (a.key.thread < b.key.thread ? 1 : -1));
    const known = this.#loaded || shown.length > 0;
    return { ...this.#state, value: known ? shown.map(({ key }) => keyText(key)) : null };
  }

  /** Threads that run but were never written, such as one without a turn so far, are in no list. */
  async #lookUpLoaded(): Promise<void> {
    const { port } = this.#host;
    const { data } = await port.request("thread/loaded/list", {});
    const unknown = data.filter((id) => this.records.get(id)?.flags.listed !== true).slice(0, lookUpLimit);
    await Promise.all(unknown.map((threadId) => this.lookUp(threadId)));
  }

  #list(cursor: string | null, archived: boolean): Promise<{ data: Thread[]; nextCursor?: string | null }> {
    return this.#host.port.request("thread/list", {
      cursor,
      archived,
      limit: pageSize,
      sortKey: "updated_at",
      sourceKinds,
    });
  }

  #set(state: Omit<Loadable<never>, "value">): void {
    this.#state = state;
    this.#host.changed();
  }
}
