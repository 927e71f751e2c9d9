import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import type { Turn } from "@quire/protocol";
import { newRecord } from "../record/fold.ts";
import type { NewLine, SessionMeta } from "../record/rollout-line.ts";
import type { ThreadRecord } from "../record/thread-record.ts";
import { pinnedPath } from "../workspace-files/pinned-file.ts";
import { FileRollout, type Original } from "./file-rollout.ts";
import type { FileVersion } from "./file-version.ts";
import { PendingChanges } from "./index/pending-changes.ts";
import type { ThreadIndex } from "./index/thread-index.ts";
import { moveThread, removeThread } from "./move-thread.ts";
import { NameFile } from "./name-file.ts";
import { readLastTurns } from "./read-last-turns.ts";
import { type ReadThread, readThread, readThreadGently } from "./read-thread.ts";
import { allTurns, type FoundTurns, findTurns } from "./read-turns.ts";
import { RecentThread } from "./recent-thread.ts";
import {
  compressedPath,
  findThreadFiles,
  findThreadFilesGently,
  isArchived,
  isCompressed,
  likelyThreadFiles,
  newRolloutPath,
  parseRolloutName,
  unpackedPath,
} from "./rollout-files.ts";
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
} from "./thread-store.ts";
import { lockThread } from "./writer-lock.ts";

/** Changes kept for an index that nobody has asked for yet; with so many it is opened to take them. */
const maxPending = 64;

/** The threads below a home. Does nothing until it is used. The caller closes it. */
export function openStore(home: string): ThreadStore {
  return new FileStore(home);
}

/** Files that are copies of threads which are kept elsewhere; their names are in their lines. */
export function openCopies(home: string, original: Original): ThreadStore {
  return new FileStore(home, original);
}

class FileStore implements ThreadStore {
  readonly #home: string;
  readonly #original: Original | undefined;
  readonly #names: NameFile;
  readonly #pending = new PendingChanges();
  readonly #recent = new RecentThread<ThreadRecord>();
  readonly #turns = new RecentThread<FoundTurns | undefined>();
  #index: Promise<ThreadIndex> | undefined;

  constructor(home: string, original?: Original) {
    this.#home = home;
    this.#original = original;
    this.#names = new NameFile(home);
  }

  create(meta: SessionMeta): Rollout {
    const createdAtMs = newRecord(meta, null).createdAtMs || Date.now();
    return this.#rollout(meta, newRolloutPath(this.#home, meta.id, createdAtMs), undefined);
  }

  async open(threadId: string): Promise<OpenedThread | undefined> {
    const path = await this.#pathOf(threadId);
    return path === undefined ? undefined : this.#open(path, isArchived(this.#home, path));
  }

  async openPath(given: string): Promise<OpenedThread> {
    const path = pinnedPath(presentPath(resolve(this.#home, given)), this.#home);
    const opened = await this.#open(path, isArchived(this.#home, path));
    const current = findThreadFiles(this.#home, opened.record.meta.id)?.paths.at(-1);
    const isOther = current !== undefined && statSync(current).ino !== statSync(path).ino;
    return isOther ? { ...opened, storedIn: current } : opened;
  }

  async read(threadId: string): Promise<ThreadRecord | undefined> {
    const path = await this.#pathOf(threadId);
    return path === undefined ? undefined : this.#named(await this.#readRecent(path));
  }

  async turns(threadId: string): Promise<StoredTurns | undefined> {
    const path = await this.#pathOf(threadId);
    if (path === undefined) return undefined;
    const found = this.#recent.kept(path) ? undefined : await this.#turns.get(path, () => findTurns(this.#home, path));
    const all = async () => (await this.#readRecent(path)).turns;
    if (!found) return allTurns(await all());
    return {
      count: found.count,
      indexOf: (turnId) => found.indexOf(turnId),
      read: (from, to) => found.read(from, to),
      all,
    };
  }

  async lastTurns(threadId: string, limit: number): Promise<readonly Turn[] | undefined> {
    const path = await this.#pathOf(threadId);
    if (path === undefined || this.#recent.kept(path) || this.#turns.kept(path)) return undefined;
    return readLastTurns(path, { home: this.#home, limit });
  }

  async exists(threadId: string): Promise<boolean> {
    return (await this.#pathOf(threadId)) !== undefined;
  }

  async summary(threadId: string): Promise<ThreadSummary | undefined> {
    return (await this.#opened()).summary(threadId);
  }

  async list(query: ThreadQuery): Promise<ThreadPage> {
    return (await this.#opened()).list(query);
  }

  async search(query: ThreadSearch): Promise<SearchPage> {
    return (await this.#opened()).search(query);
  }

  checkFree(threadId: string): void {
    lockThread(this.#home, threadId).release();
  }

  async archive(threadId: string): Promise<boolean> {
    return this.#moved(moveThread(this.#home, threadId, "archive"), threadId);
  }

  async unarchive(threadId: string): Promise<boolean> {
    return this.#moved(moveThread(this.#home, threadId, "unarchive"), threadId);
  }

  async delete(threadId: string): Promise<boolean> {
    return this.#moved(removeThread(this.#home, threadId), threadId);
  }

  changed(record: ThreadRecord): void {
    this.#pending.add(record);
    if (this.#pending.size >= maxPending) void this.#opened().catch(() => {});
  }

  stored(): undefined {}

  elsewhere(): undefined {}

  async release(): Promise<void> {}

  async close(): Promise<void> {
    this.#recent.forget();
    this.#turns.forget();
    // Makes no index for this: the first list finds everything in the files.
    if (this.#pending.size > 0 && existsSync(indexPath(this.#home))) await this.#opened();
    const index = await this.#index;
    this.#index = undefined;
    await index?.close();
  }

  /** Asks the index, if there is one, before looking everywhere; it also knows threads resumed from elsewhere. */
  async #pathOf(threadId: string): Promise<string | undefined> {
    const likely = likelyThreadFiles(this.#home, threadId)?.paths.at(-1);
    if (likely !== undefined) return likely;
    const path = existsSync(indexPath(this.#home)) ? (await (await this.#opened()).summary(threadId))?.path : undefined;
    if (path !== undefined) return pinnedPath(path, this.#home);
    // The index has no files that are no threads: their errors say so.
    return (await findThreadFilesGently(this.#home, threadId))?.paths.at(-1);
  }

  #readRecent(path: string): Promise<ThreadRecord> {
    return this.#recent.get(path, async () => (await readThreadGently(this.#home, path)).record);
  }

  async #open(path: string, archived: boolean): Promise<OpenedThread> {
    const { record, seen } = this.#withName(await readThreadGently(this.#home, path));
    return { record, rollout: this.#rollout(record.meta, path, seen), archived };
  }

  #withName(read: ReadThread): ReadThread {
    this.#named(read.record);
    return read;
  }

  /** Names are in a file of their own. */
  #named(record: ThreadRecord): ThreadRecord {
    const name = this.#original ? undefined : this.#names.get(record.meta.id);
    if (name !== undefined) record.name = name || null;
    return record;
  }

  #rollout(meta: SessionMeta, path: string, seen: FileVersion | undefined): Rollout {
    return new FileRollout({
      home: this.#home,
      meta,
      path,
      seen,
      reread: (current) => this.#withName(readThread(this.#home, current)),
      rereadGently: async (current) => this.#withName(await readThreadGently(this.#home, current)),
      relocate: () => findThreadFiles(this.#home, meta.id)?.paths.find((file) => sameFile(file, path)),
      onAppend: (lines) => {
        if (!this.#original) this.#keepName(meta.id, lines);
      },
      original: this.#original,
    });
  }

  /** Before the rollout is written: a crash in between leaves a name that no client heard of, not a lost one. */
  #keepName(threadId: string, lines: readonly NewLine[]): void {
    for (const line of lines) {
      if (line.type === "thread_event" && line.payload.kind === "name") this.#names.put(threadId, line.payload.name);
    }
  }

  async #moved(done: boolean, threadId: string): Promise<boolean> {
    if (done && this.#index) await (await this.#index).touch(threadId);
    return done;
  }

  #opened(): Promise<ThreadIndex> {
    this.#index ??= import("./index/thread-index.ts").then(
      ({ ThreadIndex }) => new ThreadIndex({ home: this.#home, names: this.#names, pending: this.#pending }),
    );
    return this.#index;
  }
}

/** Here, so that the index is not loaded before it is needed. */
const indexPath = (home: string): string => join(home, "quire-index.sqlite");

/** True also when one of them is compressed by now. */
const sameFile = (a: string, b: string): boolean =>
  basename(unpackedPath(a)) === basename(unpackedPath(b)) && parseRolloutName(basename(a)) !== undefined;

/** The existing file: clients see the names of unpacked files. */
function presentPath(path: string): string {
  const other = isCompressed(path) ? unpackedPath(path) : compressedPath(path);
  return !existsSync(path) && existsSync(other) ? other : path;
}
