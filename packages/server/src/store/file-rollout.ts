import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { StoreError } from "../lib/faults.ts";
import { runAtOnce, runGently } from "../lib/time-slice.ts";
import type { NewLine, SessionMeta } from "../record/rollout-line.ts";
import type { ThreadRecord } from "../record/thread-record.ts";
import { openPinned } from "../workspace-files/pinned-file.ts";
import { echoesOf } from "./codex/echo.ts";
import type { FileVersion } from "./file-version.ts";
import type { ReadThread } from "./read-thread.ts";
import { healTail, unpackRollout, writeFully } from "./rollout-bytes.ts";
import { isCompressed } from "./rollout-files.ts";
import { type Rollout, ThreadGone } from "./thread-store.ts";
import { lockThread, type WriterLock } from "./writer-lock.ts";

const appending = constants.O_RDWR | constants.O_APPEND;

/** Characters that are written at a time. */
const pieceLength = 1 << 18;

/** Options of a {@link FileRollout}. */
export interface FileRolloutOptions {
  readonly home: string;
  readonly meta: SessionMeta;
  readonly path: string;
  /** The file as it was read; `undefined` when there is none. */
  readonly seen: FileVersion | undefined;
  /** Reads the thread again after another process has written to it. */
  readonly reread: (path: string) => ReadThread;
  /** The same with others in between. */
  readonly rereadGently: (path: string) => Promise<ReadThread>;
  /** The current path, after a move to the archive or back. */
  readonly relocate: () => string | undefined;
  /** Called before lines are written. */
  readonly onAppend: (lines: readonly NewLine[]) => void;
  /** The place of the truth, if this file is a copy. */
  readonly original?: Original | undefined;
}

/** The place that has the truth about threads whose files are copies. */
export interface Original {
  /** Called before a thread is written to. Throws where that is not this server's right. */
  begin(threadId: string): void;
  /** Takes what was written to the copy. */
  append(threadId: string, pieces: readonly string[], lines: readonly NewLine[]): void;
}

/** Lines as a file has them, and the number of the next one. */
interface Encoded {
  readonly pieces: readonly string[];
  readonly ordinal: number | undefined;
}

/** The file of one thread; see {@link Rollout}. Holds a descriptor only between `begin` and `end`. */
export class FileRollout implements Rollout {
  readonly #options: FileRolloutOptions;
  #path: string;
  #inode: number;
  #size: number;
  #depth = 0;
  /** The next line number, in files with numbered lines: Codex 0.166 refuses gaps at their end. */
  #ordinal: number | undefined;
  #lock: WriterLock | undefined;
  #fd: number | undefined;

  constructor(options: FileRolloutOptions) {
    this.#options = options;
    this.#path = options.path;
    this.#inode = options.seen?.inode ?? 0;
    this.#size = options.seen?.size ?? -1;
    this.#ordinal = options.seen === undefined ? 0 : options.seen.nextOrdinal;
  }

  get path(): string {
    return this.#path;
  }

  get isMade(): boolean {
    return this.#size !== -1;
  }

  begin(): ThreadRecord | undefined {
    if (this.#depth > 0) {
      this.#depth++;
      return undefined;
    }
    this.#options.original?.begin(this.#options.meta.id);
    // No other process can know a thread without a file.
    this.#lock = lockThread(this.#options.home, this.#options.meta.id, !this.isMade);
    try {
      const changed = this.#openExisting();
      this.#depth = 1;
      if (!changed) return undefined;
      const { record, seen } = this.#options.reread(this.#path);
      this.#ordinal = seen.nextOrdinal;
      return record;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  async newer(): Promise<ThreadRecord | undefined> {
    if (this.#depth > 0 || !this.isMade) return undefined;
    const path = existsSync(this.#path) ? this.#path : this.#options.relocate();
    // A compressed file has not changed since; the next writer unpacks it.
    if (path === undefined || isCompressed(path)) return undefined;
    const [before, inode, size] = [this.#path, this.#inode, this.#size];
    const now = statSync(path);
    if (path === before && now.ino === inode && now.size === size) return undefined;
    const { record, seen } = await this.#options.rereadGently(path);
    const isOvertaken = this.#path !== before || this.#inode !== inode || this.#size !== size;
    // A writer of this process has read it itself meanwhile.
    if (this.#depth > 0 || isOvertaken) return undefined;
    this.#path = path;
    this.#inode = seen.inode;
    this.#size = seen.size;
    this.#ordinal = seen.nextOrdinal;
    return record;
  }

  append(lines: readonly NewLine[]): void {
    if (this.#depth === 0) {
      this.begin();
      try {
        this.append(lines);
      } finally {
        this.end();
      }
      return;
    }
    runAtOnce(this.#appending(lines));
  }

  async appendGently(lines: readonly NewLine[]): Promise<void> {
    this.begin();
    try {
      await runGently(this.#appending(lines));
    } finally {
      this.end();
    }
  }

  *#appending(lines: readonly NewLine[]): Generator<undefined, void> {
    const whole = this.#fd === undefined ? withMeta(lines, this.#options.meta) : lines;
    const { pieces, ordinal } = yield* this.#encode(whole);
    this.#options.onAppend(whole);
    this.#options.original?.begin(this.#options.meta.id);
    yield* this.#write(this.#fd ?? this.#create(), pieces);
    this.#options.original?.append(this.#options.meta.id, pieces, whole);
    this.#ordinal = ordinal;
  }

  *#encode(lines: readonly NewLine[]): Generator<undefined, Encoded> {
    const timestamp = new Date().toISOString();
    const pieces: string[] = [];
    let ordinal = this.#ordinal;
    let text = "";
    for (const line of lines) {
      for (const each of [line, ...echoesOf(line, this.#options.meta.id)]) {
        const numbered = ordinal === undefined ? "" : `"ordinal":${ordinal++},`;
        text += `{"timestamp":"${timestamp}",${numbered}${JSON.stringify(each).slice(1)}\n`;
      }
      if (text.length >= pieceLength) {
        pieces.push(text);
        text = "";
      }
      yield;
    }
    return { pieces: [...pieces, text], ordinal };
  }

  end(): void {
    if (this.#depth === 0) return;
    if (--this.#depth === 0) this.#release();
  }

  /** Opens and heals the existing file. Returns true when it differs from what this process knows. */
  #openExisting(): boolean {
    const before = this.#path;
    if (isCompressed(before)) this.#path = unpackRollout(before, this.#options.home);
    this.#fd = this.#openAgain();
    // A new thread has no file yet.
    if (this.#fd === undefined) return false;
    const { ino, size } = fstatSync(this.#fd);
    const changed = ino !== this.#inode || size !== this.#size || this.#path !== before;
    this.#inode = ino;
    this.#size = healTail(this.#fd, size);
    return changed;
  }

  #openAgain(): number | undefined {
    if (!this.isMade) return undefined;
    const open = () => openPinned(this.#path, { home: this.#options.home, flags: appending }).descriptor;
    try {
      return open();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw unwritable(this.#path, error);
      const moved = this.#options.relocate();
      if (moved === undefined) throw new ThreadGone(this.#options.meta.id, this.#path);
      this.#path = isCompressed(moved) ? unpackRollout(moved, this.#options.home) : moved;
      return open();
    }
  }

  #create(): number {
    // Exclusive: a file that appears now is not ours to continue with.
    const flags = appending | constants.O_CREAT | constants.O_EXCL;
    try {
      this.#fd = openIn(dirname(this.#path), () => openSync(this.#path, flags, 0o600));
    } catch (error) {
      throw unwritable(this.#path, error);
    }
    this.#inode = fstatSync(this.#fd).ino;
    this.#size = 0;
    return this.#fd;
  }

  /** All or nothing: half a line, as a full disk leaves it, is removed, and so is a file that would be empty. */
  *#write(fd: number, pieces: readonly string[]): Generator<undefined, void> {
    let size = this.#size;
    try {
      for (const piece of pieces) {
        size += writeFully(fd, piece);
        yield;
      }
      this.#size = size;
    } catch (error) {
      if (this.#size === 0) this.#uncreate(fd);
      else ftruncateSync(fd, this.#size);
      throw unwritable(this.#path, error);
    }
  }

  #uncreate(fd: number): void {
    this.#fd = undefined;
    this.#size = -1;
    closeSync(fd);
    unlinkSync(this.#path);
  }

  #release(): void {
    this.#depth = 0;
    const fd = this.#fd;
    this.#fd = undefined;
    try {
      if (fd !== undefined) closeSync(fd);
    } finally {
      this.#lock?.release();
      this.#lock = undefined;
    }
  }
}

function openIn(folder: string, open: () => number): number {
  try {
    return open();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return open();
  }
}

function withMeta(lines: readonly NewLine[], meta: SessionMeta): readonly NewLine[] {
  return lines[0]?.type === "session_meta" ? lines : [{ type: "session_meta", payload: meta }, ...lines];
}

const unwritable = (path: string, cause: unknown): Error => new StoreError(`write the thread's rollout ${path}`, cause);
