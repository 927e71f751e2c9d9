import { dirname } from "node:path";
import { PinnedFolders } from "../workspace-files/pinned-folders.ts";
import { dropStaged, placeFile, removeFile, stageFile } from "../workspace-files/write-file.ts";
import type { FileState, PlannedChange } from "./plan-patch.ts";
import { yieldOften } from "./yield-often.ts";

/** The target state of one file; `null` for none. */
interface Wanted {
  readonly path: string;
  readonly before: FileState | null;
  readonly after: FileState | null;
}

/**
 * Carries out a plan completely or not at all: writes new contents next to their files, renames them into place, and
 * restores everything when a later file fails. Throws the first failure.
 */
export async function commitPatch(changes: readonly PlannedChange[]): Promise<void> {
  using folders = new PinnedFolders();
  const wanted = changes.flatMap(toWanted);
  const staged = new Map<Wanted, string>();
  const made: string[] = [];
  const done: Wanted[] = [];
  const breathe = yieldOften();
  try {
    for (const file of wanted) {
      if (file.after) {
        folders.make(dirname(file.path), made);
        staged.set(file, stageFile(file.path, file.after, folders));
      }
      await breathe();
    }
    folders.confirm();
    for (const file of wanted) {
      const temporary = staged.get(file);
      if (temporary === undefined) removeFile(file.path, folders);
      else placeFile(temporary, file.path, folders);
      staged.delete(file);
      done.push(file);
      await breathe();
    }
  } catch (error) {
    for (const temporary of staged.values()) attempt(() => dropStaged(temporary, folders));
    for (const file of done.reverse()) attempt(() => putBack(file, folders));
    for (const folder of made.reverse()) attempt(() => folders.remove(folder));
    throw error;
  }
}

function toWanted({ files: [file, moved], before, after, replaced }: PlannedChange): Wanted[] {
  if (moved === undefined) return [{ path: file, before, after }];
  return [
    { path: moved, before: replaced, after },
    { path: file, before, after: null },
  ];
}

/** A failed undo must not keep the rest from running. */
function attempt(undo: () => void): void {
  try {
    undo();
  } catch {
    // The first failure is the one to report.
  }
}

function putBack({ path, before }: Wanted, folders: PinnedFolders): void {
  if (before) placeFile(stageFile(path, before, folders), path, folders);
  else removeFile(path, folders);
}
