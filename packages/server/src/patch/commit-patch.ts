import { chmodSync, mkdirSync, renameSync, rmdirSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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
      if (temporary === undefined) unlinkSync(file.path);
      else renameSync(temporary, file.path);
      staged.delete(file);
      done.push(file);
      await breathe();
    }
  } catch (error) {
    for (const temporary of staged.values()) rmSync(temporary, { force: true });
    for (const file of done.reverse()) putBack(file);
    for (const folder of folders.reverse()) removeIfEmpty(folder);
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

function stage(path: string, { bytes, mode }: FileState, folders: string[]): string {
  makeFolder(dirname(path), folders);
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID().slice(0, 8)}`);
  try {
    writeFileSync(temporary, bytes, { flag: "wx" });
    if (mode !== null) chmodSync(temporary, mode);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return temporary;
}

function makeFolder(folder: string, made: string[]): void {
  const first = mkdirSync(folder, { recursive: true });
  if (first === undefined) return;
  const below: string[] = [];
  for (let at = folder; at !== dirname(first); at = dirname(at)) below.push(at);
  made.push(...below.reverse());
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Someone has put something into it meanwhile.
  }
}

function putBack({ path, before }: Wanted): void {
  if (!before) {
    rmSync(path, { force: true });
    return;
  }
  writeFileSync(path, before.bytes);
  if (before.mode !== null) chmodSync(path, before.mode);
}
