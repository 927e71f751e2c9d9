import { lstatSync } from "node:fs";
import { lstat, readdir, rm, rmdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { FsGetMetadataResponse, FsReadDirectoryEntry } from "@quire/protocol";
import { isMissing } from "./file-errors.ts";

/** The kind of a path's target, and if it is reached by a link. */
export async function metadata(path: string): Promise<FsGetMetadataResponse> {
  const [target, own] = await Promise.all([stat(path), lstat(path)]);
  return {
    isDirectory: target.isDirectory(),
    isFile: target.isFile(),
    isSymlink: own.isSymbolicLink(),
    createdAtMs: Math.trunc(target.birthtimeMs) || 0,
    modifiedAtMs: Math.trunc(target.mtimeMs) || 0,
  };
}

/** The entries of a folder. Links show as what they lead to; those that lead nowhere are left out. */
export async function entries(path: string): Promise<FsReadDirectoryEntry[]> {
  const found = await readdir(path, { withFileTypes: true });
  const listed: (FsReadDirectoryEntry | Promise<FsReadDirectoryEntry | undefined>)[] = found.map((entry) =>
    entry.isSymbolicLink() ? linked(path, entry.name) : described(entry.name, entry),
  );
  // Only links have to be waited for, and most folders have none.
  const all = found.some((entry) => entry.isSymbolicLink()) ? await Promise.all(listed) : listed;
  return all.filter((entry) => entry !== undefined) as FsReadDirectoryEntry[];
}

async function linked(folder: string, name: string): Promise<FsReadDirectoryEntry | undefined> {
  const target = await stat(join(folder, name)).catch(() => undefined);
  return target && described(name, target);
}

function described(fileName: string, what: { isDirectory(): boolean; isFile(): boolean }): FsReadDirectoryEntry {
  return { fileName, isDirectory: what.isDirectory(), isFile: what.isFile() };
}

/** Options of {@link remove}. */
export interface RemoveOptions {
  readonly recursive: boolean;
  readonly force: boolean;
}

/** Removes a file, a link (not what it leads to) or a folder. */
export async function remove(path: string, { recursive, force }: RemoveOptions): Promise<void> {
  try {
    const stats = lstatSync(path);
    if (!stats.isDirectory()) await unlink(path);
    else if (recursive) await rm(path, { recursive: true });
    else await rmdir(path);
  } catch (error) {
    if (!force || !isMissing(error)) throw error;
  }
}
