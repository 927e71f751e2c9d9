import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { runGently, TimeSlice } from "../../lib/time-slice.ts";
import type { NameFile } from "../name-file.ts";
import { archiveFolder, findThreadFiles, isArchived, isInHome, readNames, type ThreadFiles } from "../rollout-files.ts";
import { fileStat } from "./file-stat.ts";
import { type Folder, isNewer, newestRollouts, rolloutFolders } from "./folder-scan.ts";
import type { PendingChanges } from "./pending-changes.ts";
import type { ThreadRow } from "./rows.ts";
import { type Summarized, summarizing } from "./summarize.ts";
import type { RowFile, ThreadTable } from "./thread-table.ts";

/** Rows that are written together: in a millisecond or two. */
const keptRows = 50;
/** Rows to check before yielding. */
const sweepRows = 100;

/** Longest time between creating a file and its first line. */
const youngMs = 10_000;

/** Options of a {@link Refresher}. */
export interface RefreshOptions {
  readonly home: string;
  readonly table: ThreadTable;
  readonly names: NameFile;
  readonly pending: PendingChanges;
}

/** Brings the index up to what the files say. */
export class Refresher {
  readonly #options: RefreshOptions;
  /** The mtime at which each folder was last read. */
  #folders: Map<string, number> | undefined;
  #namesKnown = false;
  #isComplete = false;
  /** The names in folders that were read: most are read again, for a new thread at a time. */
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(options: RefreshOptions) {
    this.#options = options;
  }

  /** True when all folders were read once: a thread without a row has come since, or is not there. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Finds threads that were added, removed or moved. Costs one `stat` per day's folder when nothing has changed. */
  async refresh(): Promise<void> {
    const { home, table } = this.#options;
    this.flush();
    this.#folders ??= table.folders();
    const found = rolloutFolders(home);
    const changed = found.filter((folder) => folder.mtime === 0 || this.#folders?.get(folder.path) !== folder.mtime);
    for (const folder of changed) await this.#readFolder(folder);
    const present = new Set(found.map((folder) => folder.path));
    for (const path of [...this.#folders.keys()]) {
      if (present.has(path)) continue;
      table.removeFolder(path);
      this.#folders.delete(path);
      this.#known.delete(path);
    }
    this.#takeNames();
    this.#isComplete = true;
  }

  flush(): void {
    const { home, table, pending } = this.#options;
    if (pending.size === 0) return;
    const changes = pending.take();
    table.together(() => {
      for (const { summary, listed, file } of changes) {
        // A moved thread: the folders will show.
        if (!existsSync(summary.path)) continue;
        const kept = { ...file, listed: listed && isInHome(home, summary.path) };
        table.put({ ...summary, archived: isArchived(home, summary.path) }, kept);
      }
    });
  }

  /** Reads changed files of these rows again. True when there were any. */
  async recheck(rows: readonly (ThreadRow | RowFile)[]): Promise<boolean> {
    const stale = rows.filter((row) => {
      const now = fileStat(row.path);
      return !now || now.size !== row.size || now.mtime !== row.mtime;
    });
    for (const row of stale) await this.readAnew(row.id);
    return stale.length > 0;
  }

  async readAnew(
    threadId: string,
    files: ThreadFiles | undefined = findThreadFiles(this.#options.home, threadId),
  ): Promise<void> {
    const { home, table, names } = this.#options;
    // A thread resumed from elsewhere is known only by its row; lists leave it out, as Codex's do.
    const path = files?.paths.at(-1) ?? this.#elsewhere(threadId);
    const made = path === undefined ? undefined : await runGently(summarizing(home, path));
    // It may have been deleted meanwhile.
    if (made && fileStat(path ?? ""))
      table.put(named(made, names).summary, { ...made.file, listed: made.file.listed && isInHome(home, path ?? "") });
    else table.remove(threadId);
  }

  #elsewhere(threadId: string): string | undefined {
    const path = this.#options.table.fileOf(threadId)?.path;
    return path === undefined || isInHome(this.#options.home, path) ? undefined : path;
  }

  /** Checks every file once, a few at a time, for changes by other programs. */
  async sweep(isOver: () => boolean): Promise<void> {
    for (let last = ""; !isOver(); ) {
      const rows = this.#options.table.filesAfter(last, sweepRows);
      const end = rows.at(-1);
      if (!end) return;
      await this.recheck(rows);
      last = end.id;
      await breathe();
    }
  }

  async #readFolder(folder: Folder): Promise<void> {
    const { table } = this.#options;
    const known = this.#known.get(folder.path) ?? new Set(table.filesIn(folder.path));
    const present = new Set(readNames(folder.path));
    const gone = [...known].filter((name) => !present.has(name));
    if (gone.length > 0) {
      table.together(() => {
        for (const name of gone) table.removeFile(join(folder.path, name));
      });
    }
    const fresh = await runGently(newestRollouts([...present].filter((name) => !known.has(name))));
    const failed = await this.#readFiles(await runGently(this.#unknownIn(folder.path, fresh)));
    for (const path of failed) present.delete(basename(path));
    // A file that is just being made has no first line yet: the folder counts as changed until it has.
    const mtime = failed.some(isYoung) ? 0 : folder.mtime;
    this.#known.set(folder.path, present);
    table.putFolder(folder.path, mtime);
    this.#folders?.set(folder.path, mtime);
  }

  /** The paths of those rollouts in a folder, given by thread, that the index does not have. */
  *#unknownIn(folder: string, rollouts: ReadonlyMap<string, string>): Generator<undefined, string[]> {
    const paths: string[] = [];
    for (const [id, name] of rollouts) {
      const known = this.#options.table.fileOf(id)?.path;
      const isKnown = known !== undefined && dirname(known) === folder && !isNewer(name, basename(known));
      if (!isKnown || !existsSync(known)) paths.push(join(folder, name));
      yield;
    }
    return paths;
  }

  /** Adds files to the index; returns those that are no rollouts. */
  async #readFiles(paths: readonly string[]): Promise<string[]> {
    const { home, table, names } = this.#options;
    const failed: string[] = [];
    const slice = new TimeSlice();
    const read: Summarized[] = [];
    const keep = () =>
      table.together(() => {
        for (const made of read.splice(0)) if (!this.#yieldsTo(made)) table.put(named(made, names).summary, made.file);
      });
    for (const path of paths) {
      const made = await runGently(summarizing(home, path), slice);
      if (made) read.push(made);
      else failed.push(path);
      if (read.length === keptRows) keep();
    }
    keep();
    return failed;
  }

  /** A thread both in the archive and outside (half moved, or copied) counts as outside. */
  #yieldsTo(made: Summarized): boolean {
    const { home, table } = this.#options;
    if (!made.summary.archived) return false;
    const other = table.get(made.summary.id);
    return (
      other !== undefined && !other.path.startsWith(join(home, archiveFolder)) && fileStat(other.path) !== undefined
    );
  }

  /** Compares all names first, later only new ones. */
  #takeNames(): void {
    const { table, names } = this.#options;
    const changed = names.takeChanged();
    if (changed.size === 0) return;
    const stored = this.#namesKnown ? undefined : table.names();
    this.#namesKnown = true;
    const different = [...changed].filter(([id, name]) => !stored || (stored.get(id) ?? "") !== name);
    if (different.length === 0) return;
    table.together(() => {
      for (const [id, name] of different) table.rename(id, name || null);
    });
  }
}

function isYoung(path: string): boolean {
  const file = fileStat(path);
  return file !== undefined && Date.now() - file.mtime < youngMs;
}

function named(made: Summarized, names: NameFile): Summarized {
  const name = names.get(made.summary.id);
  return name === undefined ? made : { ...made, summary: { ...made.summary, name: name || null } };
}
