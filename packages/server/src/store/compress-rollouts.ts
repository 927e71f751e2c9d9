import { existsSync, mkdirSync, renameSync, rmSync, type Stats, statSync, utimesSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../lib/error-message.ts";
import {
  archiveFolder,
  compressedPath,
  dayFolders,
  isCompressed,
  parseRolloutName,
  readNames,
} from "./rollout-files.ts";
import { maxRolloutBytes, unpackBounded } from "./unpack-bounded.ts";
import { lockThread, type WriterLock } from "./writer-lock.ts";

/** Rollouts untouched for this long are packed. */
const restMs = 7 * 24 * 3_600_000;
/** Minimum time between two runs. */
const pauseMs = 6 * 3_600_000;
const level = 3;

/** The result of a run. */
export interface Compressed {
  readonly packed: number;
  /** Files that could not be packed, and why. */
  readonly failures: readonly string[];
}

/**
 * Packs untouched rollouts of a home, archived ones too, as Codex does: `.zst` next to the name, with the same times
 * and permissions. Files in use are left alone. A file is readable at any time: the packed one is complete before the
 * other is removed. Runs once in six hours for all programs of the home.
 */
export async function compressRollouts(home: string, signal: AbortSignal): Promise<Compressed> {
  const failures: string[] = [];
  let packed = 0;
  if (!takeRun(home)) return { packed, failures };
  for (const folder of [...dayFolders(home), join(home, archiveFolder)]) {
    for (const name of readNames(folder)) {
      if (signal.aborted) return { packed, failures };
      const threadId = isCompressed(name) ? undefined : parseRolloutName(name)?.threadId;
      if (threadId === undefined) continue;
      try {
        if (await pack(home, threadId, join(folder, name))) packed++;
      } catch (error) {
        failures.push(`${name}: ${errorMessage(error)}`);
      }
    }
  }
  return { packed, failures };
}

/** Codex uses the same mark, so that only one of both runs. */
function takeRun(home: string): boolean {
  const mark = join(home, ".tmp", "rollout-compression.lock");
  const last = statSync(mark, { throwIfNoEntry: false });
  if (last && Date.now() - last.mtimeMs < pauseMs) return false;
  mkdirSync(join(home, ".tmp"), { recursive: true, mode: 0o700 });
  writeFileSync(mark, `pid=${process.pid} started_at=${new Date().toISOString()}\n`);
  return true;
}

async function pack(home: string, threadId: string, path: string): Promise<boolean> {
  const before = statSync(path);
  if (!before.isFile() || before.size > maxRolloutBytes || !hasRested(before) || isHeldByCodex(home, threadId))
    return false;
  const bytes = await readFile(path);
  const made = await Bun.zstdCompress(bytes, { level });
  // By what will read it one day, which has its bounds.
  if (!unpackBounded(made).equals(bytes)) throw new Error("it cannot be unpacked again");
  const lock = lockIfFree(home, threadId);
  try {
    const now = statSync(path, { throwIfNoEntry: false });
    // Written to, moved or deleted meanwhile.
    if (!lock || !now || now.ino !== before.ino || now.size !== before.size || now.mtimeMs !== before.mtimeMs)
      return false;
    publish(path, made, before);
    return true;
  } finally {
    lock?.release();
  }
}

function publish(path: string, bytes: Uint8Array, like: Stats): void {
  const target = compressedPath(path);
  // The name is always the same: what a process that was killed has left is written over.
  const staging = `${target}.tmp`;
  writeFileSync(staging, bytes, { mode: like.mode & 0o777 });
  utimesSync(staging, like.atime, like.mtime);
  renameSync(staging, target);
  rmSync(path);
}

const hasRested = ({ mtimeMs }: Stats): boolean => Date.now() - mtimeMs >= restMs;

/** Codex holds a file open while its thread is loaded. */
const isHeldByCodex = (home: string, threadId: string): boolean =>
  existsSync(join(home, "thread-writer-locks", `${threadId}.lock`));

function lockIfFree(home: string, threadId: string): WriterLock | undefined {
  try {
    return lockThread(home, threadId);
  } catch {
    // The holder is about to write, so the file is in use.
    return undefined;
  }
}
