import { closeSync, linkSync, mkdirSync, openSync, readdirSync, unlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { StoreError } from "../lib/faults.ts";
import { ownStart, processStart } from "../lib/process-start.ts";
import { ThreadInUse } from "./thread-store.ts";

/** The folder of all marks, below a home. */
export const marksFolder = "locks";
/** The empty file next to that folder to which the marks are hard links. */
const markedName = ".lock-mark";
/** Of two simultaneous requests both step back; each retries this often, at random intervals. */
const attempts = 4;
const freshMs = 100;

/** A held right to write. */
export interface WriterLock {
  release(): void;
}

let counter = 0;

/**
 * Takes the right to write a thread, for one process among all that share the home. A process first puts down a mark of
 * its own, then looks for others: with any other living mark it steps back. Since each marks first and looks second, no
 * two can both see themselves alone. A mark's name identifies its owner and is never reused, so dead marks can be
 * removed without a race.
 * @param isNew Nobody else can want it: there is no need to look.
 */
export function lockThread(home: string, threadId: string, isNew = false): WriterLock {
  const folder = join(home, marksFolder);
  for (let attempt = 1; ; attempt++) {
    const mark = `${threadId}.${process.pid}.${ownStart()}.${++counter}.${Date.now()}`;
    try {
      putMark(home, join(folder, mark));
    } catch (error) {
      throw new StoreError(`write to ${folder}`, error);
    }
    const other = isNew ? undefined : livingRival(folder, threadId, mark);
    if (!other) return { release: () => dropMark(join(folder, mark)) };
    dropMark(join(folder, mark));
    if (attempt === attempts || !isFresh(other.name)) throw new ThreadInUse(threadId, other.pid);
    Bun.sleepSync(Math.random() * 4);
  }
}

/** Puts down a mark: a hard link, which costs a thirtieth of a new file on large disks. */
export function putMark(home: string, path: string): void {
  const marked = join(home, markedName);
  try {
    linkSync(marked, path);
    return;
  } catch (error) {
    // The first of a home, or a file system without links.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  }
  closeSync(openSync(path, "wx", 0o600));
  try {
    linkSync(path, marked);
  } catch {
    // It exists, or cannot be made: the next mark will show.
  }
}

function livingRival(folder: string, threadId: string, mine: string): { pid: number; name: string } | undefined {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(threadId) || name === mine) continue;
    const [pid = "", start = ""] = name.slice(threadId.length + 1).split(".");
    if (processStart(Number(pid)) === start) return { pid: Number(pid), name };
    dropMark(join(folder, name));
  }
  return undefined;
}

function isFresh(mark: string): boolean {
  return Date.now() - Number(mark.split(".").at(-1)) < freshMs;
}

/** Removes a mark, if it is there. */
export function dropMark(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another has swept it away.
  }
}
