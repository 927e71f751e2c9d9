import { isAbsolute, join, relative } from "node:path";
import type { Turn } from "@quire/protocol";
import type { SQL } from "bun";
import type { NodeAddress } from "../context/server-context.ts";
import { ClientFault } from "../lib/faults.ts";
import type { Log } from "../lib/log.ts";
import { runAtOnce } from "../lib/time-slice.ts";
import type { NewLine, SessionMeta } from "../record/rollout-line.ts";
import type { ThreadRecord } from "../record/thread-record.ts";
import { summarizing } from "../store/index/summarize.ts";
import { openCopies } from "../store/open-store.ts";
import { isListed, summaryOf } from "../store/summary-of.ts";
import type {
  OpenedThread,
  Rollout,
  SearchPage,
  StoredTurns,
  ThreadPage,
  ThreadQuery,
  ThreadSearch,
  ThreadStore,
  ThreadSummary,
} from "../store/thread-store.ts";
import { CopyFolder } from "./copy-folder.ts";
import { Database } from "./database.ts";
import { LocalCopies } from "./local-copies.ts";
import { NodeLease } from "./node-lease.ts";
import { isSaidByUser } from "./said.ts";
import { anyOther, claimThread, ownerOf, releaseThread, type ThreadTaken } from "./thread-owner.ts";
import { listedThread, readList, readSearch, readSummary } from "./thread-rows.ts";
import { ThreadWriter } from "./thread-writer.ts";

/** Options of a store in a database. */
export interface SharedStoreOptions {
  /** The database's address, `postgres://…`. */
  readonly url: string;
  /** The home below which copies are kept. */
  readonly home: string;
  readonly log: Log;
  /** Time after which others may take the threads of a server that they no longer hear of. Default 10 seconds. */
  readonly leaseMs?: number | undefined;
  /** Begins to serve the other servers. Default: they are told no address. */
  readonly serve?: (() => Promise<Pick<NodeAddress, "url" | "token">>) | undefined;
  /** Called when a thread was claimed, before it is given out. */
  readonly beforeOpen?: (() => Promise<void>) | undefined;
  /** Called again and again while this server is to give its threads away. */
  readonly onDraining?: (() => void) | undefined;
  /** Called when another server has taken a loaded thread over. */
  readonly onTaken: (threadId: string, reason: ThreadTaken) => void;
}

/** The threads of a PostgreSQL database, shared by many servers. Asks it for nothing until it is used. The caller closes it. */
export function openSharedStore(options: SharedStoreOptions): SharedThreads {
  return new SharedStore(options);
}

/** Threads of a database, and what is shared beside them. */
export interface SharedThreads extends ThreadStore {
  readonly database: Database;
  /** The folder for copies, of this process alone. */
  readonly folder: string;
}

interface FileRow {
  readonly file: string;
}

/**
 * A thread is written by the server that has claimed it. Its file here is a copy: what is appended goes to the database,
 * and no client hears of it before it is there.
 */
class SharedStore implements SharedThreads {
  readonly #database: Database;
  readonly #beforeOpen: (() => Promise<void>) | undefined;
  readonly #node: NodeLease;
  readonly #writer: ThreadWriter;
  readonly #folder: CopyFolder;
  readonly #copies: LocalCopies;
  readonly #files: ThreadStore;
  /** Paths of the threads that this server writes. */
  readonly #paths = new Map<string, string>();
  /** Those among them that lists do not show yet. */
  readonly #silent = new Set<string>();

  constructor({ url, home, log, leaseMs, serve, onDraining, onTaken, beforeOpen }: SharedStoreOptions) {
    this.#beforeOpen = beforeOpen;
    this.#database = new Database(url);
    this.#node = new NodeLease({ database: this.#database, log, leaseMs, serve, onDraining });
    this.#folder = new CopyFolder(home, url);
    this.#copies = new LocalCopies(this.#folder.path);
    this.#writer = new ThreadWriter({ database: this.#database, node: this.#node, log, onTaken });
    this.#files = openCopies(this.#folder.path, {
      begin: (threadId) => this.#writer.begin(threadId),
      append: (threadId, pieces, lines) => this.#appended(threadId, pieces, lines),
    });
  }

  get database(): Database {
    return this.#database;
  }

  get folder(): string {
    return this.#folder.path;
  }

  create(meta: SessionMeta): Rollout {
    const rollout = this.#files.create(meta);
    this.#writer.create(meta.id, relative(this.#folder.path, rollout.path));
    this.#paths.set(meta.id, rollout.path);
    this.#silent.add(meta.id);
    return rollout;
  }

  async open(threadId: string): Promise<OpenedThread | undefined> {
    const id = threadId.toLowerCase();
    if (this.#writer.owns(id)) await this.release(id);
    await this.#node.register();
    const claim = await this.#use("open a thread", (sql) => claimThread(sql, id, this.#node.id));
    if (!claim) return undefined;
    try {
      await this.#beforeOpen?.();
      await this.#fetch(id);
      const opened = await this.#files.open(id);
      if (!opened) throw new Error(`the database has no lines of thread ${id}`);
      this.#paths.set(id, opened.rollout.path);
      if (!isListed(opened.record)) this.#silent.add(id);
      this.#writer.adopt(id, claim);
      return { ...opened, archived: claim.archived };
    } catch (error) {
      this.#writer.adopt(id, claim);
      await this.release(id);
      throw error;
    }
  }

  async openPath(given: string): Promise<OpenedThread> {
    const path = isAbsolute(given) ? given : join(this.#folder.path, given);
    const id = path.startsWith(this.#folder.path) ? /([0-9a-f-]{36})\.jsonl$/i.exec(path)?.[1] : undefined;
    const opened = id === undefined ? undefined : await this.open(id);
    if (!opened) throw new ClientFault(`${given} is no thread of this server's database`);
    return opened;
  }

  async read(threadId: string): Promise<ThreadRecord | undefined> {
    return (await this.#fetch(threadId)) ? this.#files.read(threadId) : undefined;
  }

  async turns(threadId: string): Promise<StoredTurns | undefined> {
    return (await this.#fetch(threadId)) ? this.#files.turns(threadId) : undefined;
  }

  async lastTurns(threadId: string, limit: number): Promise<readonly Turn[] | undefined> {
    return (await this.#fetch(threadId)) ? this.#files.lastTurns(threadId, limit) : undefined;
  }

  async exists(threadId: string): Promise<boolean> {
    return (await this.summary(threadId)) !== undefined;
  }

  async summary(threadId: string): Promise<ThreadSummary | undefined> {
    await this.#writer.stored(threadId)?.catch(() => undefined);
    const found = await this.#use("look a thread up", (sql) => readSummary(sql, threadId));
    return found && this.#placed(found);
  }

  async list(query: ThreadQuery): Promise<ThreadPage> {
    const page = await this.#use("list threads", (sql) => readList(sql, query));
    return { ...page, threads: page.threads.map((thread) => this.#placed(thread)) };
  }

  async search(query: ThreadSearch): Promise<SearchPage> {
    const page = await this.#use("search threads", (sql) => readSearch(sql, query));
    return { ...page, results: page.results.map((hit) => ({ ...hit, thread: this.#placed(hit.thread) })) };
  }

  checkFree(threadId: string): void {
    this.#writer.begin(threadId);
  }

  archive(threadId: string): Promise<boolean> {
    return this.#setArchived(threadId, 1);
  }

  unarchive(threadId: string): Promise<boolean> {
    return this.#setArchived(threadId, 0);
  }

  async delete(threadId: string): Promise<boolean> {
    const row = await this.#alone(threadId, async (sql) => {
      const [found] = await sql<FileRow[]>`DELETE FROM threads WHERE id = ${threadId} RETURNING file`;
      return found;
    });
    if (row) this.#copies.drop(threadId, row.file);
    return row !== undefined;
  }

  changed(record: ThreadRecord): void {
    if (record.path === null) return;
    const isShown = isListed(record);
    if (isShown) this.#silent.delete(record.meta.id);
    this.#writer.list(listedThread(summaryOf(record, record.path, false), isShown));
  }

  stored(threadId: string): Promise<void> | undefined {
    return this.#writer.stored(threadId);
  }

  elsewhere(threadId: string): Promise<NodeAddress | undefined> | undefined {
    const id = threadId.toLowerCase();
    if (this.#writer.owns(id)) return undefined;
    return this.#use("look for the server of a thread", async (sql) => {
      const owner = await ownerOf(sql, id, this.#node.id);
      return owner ?? (this.#node.isDraining ? anyOther(sql, this.#node.id) : undefined);
    });
  }

  async release(threadId: string): Promise<void> {
    const seq = await this.#writer.release(threadId);
    const path = this.#paths.get(threadId);
    this.#paths.delete(threadId);
    this.#silent.delete(threadId);
    if (path === undefined) return;
    const file = relative(this.#folder.path, path);
    if (seq === undefined) this.#copies.drop(threadId, file);
    else this.#copies.keep(threadId, file, seq);
  }

  async close(): Promise<void> {
    await Promise.all(this.#writer.ids.map((id) => this.release(id)));
    await this.#files.close();
    await this.#node.close();
    await this.#database.close();
    this.#folder.release();
  }

  #use<T>(doing: string, work: (sql: SQL) => Promise<T>): Promise<T> {
    return this.#database.use(doing, work);
  }

  /** False without such a thread. */
  async #fetch(threadId: string): Promise<boolean> {
    const id = threadId.toLowerCase();
    if (this.#writer.owns(id)) return true;
    return this.#use("read a thread", async (sql) => {
      const [row] = await sql<FileRow[]>`SELECT file FROM threads WHERE id = ${id}`;
      if (!row) return false;
      await this.#copies.fetch(sql, { id, file: row.file, isOurs: () => this.#writer.owns(id) });
      return true;
    });
  }

  async #setArchived(threadId: string, archived: number): Promise<boolean> {
    const changed = await this.#alone(
      threadId,
      (sql) => sql<FileRow[]>`
        UPDATE threads SET archived = ${archived} WHERE id = ${threadId} AND archived <> ${archived} RETURNING file`,
    );
    return changed !== undefined && changed.length > 0;
  }

  /** Does something to a thread that no other server is using; `undefined` without such a thread. */
  async #alone<T>(threadId: string, work: (sql: SQL) => Promise<T>): Promise<T | undefined> {
    if (this.#writer.owns(threadId)) await this.release(threadId);
    await this.#node.register();
    return this.#use("change a thread", async (sql) => {
      const claim = await claimThread(sql, threadId, this.#node.id);
      if (!claim) return undefined;
      try {
        return await work(sql);
      } finally {
        await releaseThread(sql, threadId, { node: this.#node.id, epoch: claim.epoch });
      }
    });
  }

  #appended(threadId: string, pieces: readonly string[], lines: readonly NewLine[]): void {
    this.#writer.append(threadId, pieces, lines);
    const path = this.#paths.get(threadId);
    if (path === undefined || !this.#silent.has(threadId) || !isSaidByUser(lines)) return;
    // A thread is listed with its first message, and not only when the turn has ended.
    const found = runAtOnce(summarizing(this.#folder.path, path));
    if (!found?.file.listed) return;
    this.#silent.delete(threadId);
    this.#writer.list(listedThread(found.summary, true));
  }

  /** In the database paths are relative: each server has its own folder. */
  #placed(summary: ThreadSummary): ThreadSummary {
    return { ...summary, path: join(this.#folder.path, summary.path) };
  }
}
