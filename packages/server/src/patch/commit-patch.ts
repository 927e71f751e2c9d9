import { chmod, mkdir, rename, rm, rmdir, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
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
  try {
    for (const file of wanted) if (file.after) staged.set(file, await stage(file.path, file.after, folders));
    for (const file of wanted) {
      const temporary = staged.get(file);
      if (temporary === undefined) await unlink(file.path);
      else await rename(temporary, file.path);
      staged.delete(file);
      done.push(file);
    }
  } catch (error) {
    for (const temporary of staged.values()) await rm(temporary, { force: true });
    for (const file of done.reverse()) await putBack(file);
    for (const folder of folders.reverse()) await rmdir(folder).catch(() => undefined);
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

async function stage(path: string, { bytes, mode }: FileState, folders: string[]): Promise<string> {
  await makeFolder(dirname(path), folders);
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID().slice(0, 8)}`);
  try {
    await writeFile(temporary, bytes, { flag: "wx" });
    if (mode !== null) await chmod(temporary, mode);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return temporary;
}

async function makeFolder(folder: string, made: string[]): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  const below: string[] = [];
  for (let at = folder; at !== dirname(first); at = dirname(at)) below.push(at);
  made.push(...below.reverse());
}

async function putBack({ path, before }: Wanted): Promise<void> {
  if (!before) {
    await rm(path, { force: true });
    return;
  }
  await writeFile(path, before.bytes);
  if (before.mode !== null) await chmod(path, before.mode);
}
