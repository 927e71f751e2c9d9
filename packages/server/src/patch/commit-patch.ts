import { dirname } from "node:path";
import { makeFolder, removeFolder } from "../workspace-files/pinned-folder.ts";
import { dropStaged, placeFile, removeFile, stageFile } from "../workspace-files/write-file.ts";
import { breather } from "./breather.ts";
import type { FileState, PlannedChange } from "./plan-patch.ts";

/** One file as it shall be; `null` where it shall be none. */
interface Wanted {
  readonly path: string;
  readonly before: FileState | null;
  readonly after: FileState | null;
}

/**
 * Carries out a plan, all of it or nothing: new contents are written beside their files first and put in place by
 * renaming, and what was put in place is put back when a later file fails. Throws what failed.
 */
export async function commitPatch(changes: readonly PlannedChange[]): Promise<void> {
  const wanted = changes.flatMap(toWanted);
  const staged = new Map<Wanted, string>();
  const folders: string[] = [];
  const done: Wanted[] = [];
  const breathe = breather();
  try {
    for (const file of wanted) {
      if (file.after) staged.set(file, stage(file.path, file.after, folders));
      await breathe();
    }
    for (const file of wanted) {
      const temporary = staged.get(file);
      if (temporary === undefined) removeFile(file.path);
      else placeFile(temporary, file.path);
      staged.delete(file);
      done.push(file);
      await breathe();
    }
  } catch (error) {
    for (const temporary of staged.values()) attempt(() => dropStaged(temporary));
    for (const file of done.reverse()) attempt(() => putBack(file));
    for (const folder of folders.reverse()) attempt(() => removeFolder(folder));
    throw error;
  }
}

function toWanted({ files: [file, moved], before, after }: PlannedChange): Wanted[] {
  if (moved === undefined) return [{ path: file, before, after }];
  return [
    { path: moved, before: null, after },
    { path: file, before, after: null },
  ];
}

function stage(path: string, state: FileState, folders: string[]): string {
  makeFolder(dirname(path), folders);
  return stageFile(path, state);
}

/** Undoes one thing; what cannot be undone must not keep the rest from it. */
function attempt(undo: () => void): void {
  try {
    undo();
  } catch {
    // The first failure is the one to tell of.
  }
}

function putBack({ path, before }: Wanted): void {
  if (before) placeFile(stageFile(path, before), path);
  else removeFile(path);
}
