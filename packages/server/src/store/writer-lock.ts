import { closeSync, mkdirSync, openSync, readdirSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { ownStart, processStart } from "./process-start.ts";
import { ThreadInUse } from "./thread-store.ts";

/** Folder of the marks, below the home. */
const folderName = "locks";
/** Two that ask in the same moment both step back; so often each tries anew, at random, before it gives up. */
const attempts = 4;
const freshMs = 100;

/** A held right to write. */
export interface WriterLock {
  release(): void;
}

let counter = 0;

/**
 * Takes the right to write a thread, for one process among all that share the home.
 *
 * Whoever wants it puts down a mark of its own and then looks who else has one: with any other that lives, it steps back.
 * Since each marks first and looks second, no two can both see themselves alone. A mark's name says whose it is and is
 * never used twice, so that the marks of the dead can be swept away without a race.
 */
export function lockThread(home: string, threadId: string): WriterLock {
  const folder = join(home, folderName);
  for (let attempt = 1; ; attempt++) {
    const mark = `${threadId}.${process.pid}.${ownStart()}.${++counter}`;
    try {
      putMark(folder, mark);
    } catch (error) {
      throw unlockable(folder, error);
    }
    const other = livingRival(folder, threadId, mark);
    if (!other) return { release: () => drop(join(folder, mark)) };
    drop(join(folder, mark));
    if (attempt === attempts || !isFresh(join(folder, other.name))) throw new ThreadInUse(threadId, other.pid);
    Bun.sleepSync(Math.random() * 4);
  }
}

function putMark(folder: string, mark: string): void {
  const path = join(folder, mark);
  try {
    closeSync(openSync(path, "wx"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    mkdirSync(folder, { recursive: true });
    closeSync(openSync(path, "wx"));
  }
}

function unlockable(folder: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`cannot write to ${folder}: ${reason}; check the folder's permissions and free space`, { cause });
}

function livingRival(folder: string, threadId: string, mine: string): { pid: number; name: string } | undefined {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(threadId) || name === mine) continue;
    const [pid = "", start = ""] = name.slice(threadId.length + 1).split(".");
    if (processStart(Number(pid)) === start) return { pid: Number(pid), name };
    drop(join(folder, name));
  }
  return undefined;
}

function isFresh(path: string): boolean {
  try {
    return Date.now() - statSync(path).mtimeMs < freshMs;
  } catch {
    // It stepped back meanwhile.
    return true;
  }
}

function drop(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another has swept it away.
  }
}
