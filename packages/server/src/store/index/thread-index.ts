import type { Database } from "bun:sqlite";
import type { NameFile } from "../name-file.ts";
import { findThreadFilesGently } from "../rollout-files.ts";
import type { SearchPage, ThreadPage, ThreadQuery, ThreadSearch, ThreadSummary } from "../thread-store.ts";
import { searchContent } from "./content-search.ts";
import { isBusy, openDatabase, openInMemory, removeDatabase } from "./index-database.ts";
import { listStatement } from "./list-query.ts";
import { cursors } from "./page-cursors.ts";
import type { PendingChanges } from "./pending-changes.ts";
import { Refresher } from "./refresh.ts";
import { summaryOfRow } from "./rows.ts";
import { searchNames } from "./search-names.ts";
import { ThreadTable } from "./thread-table.ts";

/** Options of an index. */
export interface IndexOptions {
  readonly home: string;
  readonly names: NameFile;
  readonly pending: PendingChanges;
}

/** Longest delay of pending changes. */
const flushMs = 1000;
/** Silent threads that a list looks at again: more until the first sweep, since an earlier server may have been killed. */
const silentRows = { first: 1000, later: 50 };
/** Threads whose files a search looks at; those of others are known as of the last sweep. */
const recentRows = 500;
/** Minimum time between two sweeps over all files. */
const sweepAgainMs = 10_000;

/** Finds threads quickly. Everything comes from the rollouts: a broken index is rebuilt in the middle of a call. */
export class ThreadIndex {
  readonly #options: IndexOptions;
  #db: Database;
  #table: ThreadTable;
  #refresher: Refresher;
  #refreshing: Promise<void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sweeping: Promise<void> | undefined;
  #sweptAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(options: IndexOptions) {
    this.#options = options;
    this.#db = openDatabase(options.home);
    this.#table = new ThreadTable(this.#db);
    this.#refresher = new Refresher({ ...options, table: this.#table });
    options.pending.onFirst = () => this.#flushSoon();
    if (options.pending.size > 0) this.#flushSoon();
  }

  summary(threadId: string): Promise<ThreadSummary | undefined> {
    return this.#guarded(async () => {
      this.#refresher.flush();
      if (!this.#table.fileOf(threadId) && this.#refresher.isComplete) await this.#refresh();
      const row = this.#table.fileOf(threadId);
      if (row) await this.#refresher.recheck([row]);
      else if (!this.#refresher.isComplete)
        await this.#refresher.readAnew(threadId, await findThreadFilesGently(this.#options.home, threadId));
      return this.#table.get(threadId);
    });
  }

  list(query: ThreadQuery): Promise<ThreadPage> {
    return this.#guarded(async () => {
      const limit = Math.max(1, query.limit);
      const read = query.searchTerm
        ? () => searchNames(this.#table, query, limit + 1)
        : () => this.#table.rows(listStatement(query, limit + 1));
      await this.#refresh();
      let rows = await read();
      // Changed rows may move within the list, and silent threads into it.
      const silent = this.#table.silent(silentRows[this.#sweptAt === Number.NEGATIVE_INFINITY ? "first" : "later"]);
      if (await this.#refresher.recheck([...rows, ...silent])) rows = await read();
      this.#sweepBehind();
      return { threads: rows.slice(0, limit).map(summaryOfRow), ...cursors(rows, limit, query) };
    });
  }

  search(query: ThreadSearch): Promise<SearchPage> {
    return this.#guarded(async () => {
      const limit = Math.max(1, query.limit);
      await this.#refresh();
      const recheck = async (threadId: string): Promise<void> => {
        const row = this.#table.fileOf(threadId);
        if (row) await this.#refresher.recheck([row]);
      };
      await this.#refresher.recheck(this.#table.recent(recentRows));
      const place = { home: this.#options.home, table: this.#table, recheck };
      const hits = await searchContent(place, query, limit + 1);
      this.#sweepBehind();
      const results = hits.slice(0, limit).map(({ row, snippet }) => ({ thread: summaryOfRow(row), snippet }));
      return {
        results,
        ...cursors(
          hits.map((hit) => hit.row),
          limit,
          query,
        ),
      };
    });
  }

  /** The files of a thread were moved or removed. */
  touch(threadId: string): Promise<void> {
    return this.#guarded(async () => {
      this.#refresher.flush();
      await this.#refresher.readAnew(threadId);
    });
  }

  /** Writes pending changes and frees everything. Idempotent. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#options.pending.onFirst = undefined;
    await Promise.allSettled([this.#refreshing, this.#sweeping]);
    try {
      this.#refresher.flush();
    } catch {
      // The next start reads it from the rollouts.
    }
    this.#db.close();
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#refresher.refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  #flushSoon(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => {
      this.#guarded(async () => this.#refresher.flush()).catch(() => {});
    }, flushMs);
    this.#timer.unref();
  }

  #sweepBehind(): void {
    if (this.#sweeping || performance.now() - this.#sweptAt < sweepAgainMs) return;
    const refresher = this.#refresher;
    this.#sweeping = refresher
      .sweep(() => this.#closed || refresher !== this.#refresher)
      // Whatever is wrong with the index, the next call will meet it and can repair it.
      .catch(() => {})
      .finally(() => {
        this.#sweeping = undefined;
        this.#sweptAt = performance.now();
      });
  }

  /** Runs work on the index. When that turns out broken or locked, rebuilds it and runs the work once more. */
  async #guarded<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (this.#closed || !isDatabaseError(error)) throw error;
      this.#rebuild(isBusy(error));
      return await work();
    }
  }

  /** Rebuilds the index; in memory when a stopped process holds it. */
  #rebuild(isHeld: boolean): void {
    this.#db.close();
    if (!isHeld) removeDatabase(this.#options.home);
    this.#db = isHeld ? openInMemory() : openDatabase(this.#options.home);
    this.#table = new ThreadTable(this.#db);
    this.#refresher = new Refresher({ ...this.#options, table: this.#table });
  }
}

/** Broken, full or locked: none of it concerns the caller. */
function isDatabaseError(error: unknown): boolean {
  return error instanceof Error && error.name === "SQLiteError";
}
