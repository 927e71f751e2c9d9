import { mkdirSync, renameSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { StoreError } from "../lib/faults.ts";
import { archiveFolder, findThreadFiles, unarchivedPath } from "./rollout-files.ts";
import { lockThread } from "./writer-lock.ts";

/** Moves all files of a thread to the archive or back. False where there is nothing to move. */
export function moveThread(home: string, threadId: string, way: "archive" | "unarchive"): boolean {
  const files = findThreadFiles(home, threadId);
  if (!files || files.archived === (way === "archive")) return false;
  alone(home, threadId, () => {
    for (const path of files.paths) {
      const name = basename(path);
      const target = way === "archive" ? join(home, archiveFolder, name) : unarchivedPath(home, name);
      if (target !== undefined) move(path, target);
    }
  });
  return true;
}

/** Deletes all files of a thread. False where there are none. */
export function removeThread(home: string, threadId: string): boolean {
  const files = findThreadFiles(home, threadId);
  if (!files) return false;
  alone(home, threadId, () => {
    for (const path of files.paths) remove(path);
  });
  return true;
}

/** A file must not move while another process writes to it. */
function alone(home: string, threadId: string, work: () => void): void {
  const lock = lockThread(home, threadId);
  try {
    work();
  } finally {
    lock.release();
  }
}

function move(path: string, target: string): void {
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    renameSync(path, target);
  } catch (error) {
    throw new StoreError(`move ${path} to ${target}`, error);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    throw new StoreError(`delete ${path}`, error);
  }
}
