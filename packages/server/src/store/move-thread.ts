import { mkdirSync, renameSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { archiveFolder, findThreadFiles, unarchivedPath } from "./rollout-files.ts";

/** Moves all files of a thread to the archive or back. False where there is nothing to move. */
export function moveThread(home: string, threadId: string, way: "archive" | "unarchive"): boolean {
  const files = findThreadFiles(home, threadId);
  if (!files || files.archived === (way === "archive")) return false;
  for (const path of files.paths) {
    const name = basename(path);
    const target = way === "archive" ? join(home, archiveFolder, name) : unarchivedPath(home, name);
    if (target === undefined) continue;
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    renameSync(path, target);
  }
  return true;
}

/** Deletes all files of a thread. False where there are none. */
export function removeThread(home: string, threadId: string): boolean {
  const files = findThreadFiles(home, threadId);
  for (const path of files?.paths ?? []) unlinkSync(path);
  return files !== undefined;
}
