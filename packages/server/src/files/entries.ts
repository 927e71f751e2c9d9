import { lstat, readdir, rm, rmdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { FsGetMetadataResponse, FsReadDirectoryEntry } from "@quire/protocol";
import { isMissing } from "./system-errors.ts";

/** What a path leads to, and whether it does so by a link. */
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
  const all = await Promise.all(
    found.map(async (entry) => {
      const target = entry.isSymbolicLink() ? await stat(join(path, entry.name)).catch(() => undefined) : entry;
      return target && { fileName: entry.name, isDirectory: target.isDirectory(), isFile: target.isFile() };
    }),
  );
  return all.filter((entry) => entry !== undefined);
}

/** How something is removed. */
export interface RemoveOptions {
  /** Whether a folder goes with all that is in it. */
  readonly recursive: boolean;
  /** Whether it is fine when nothing is there. */
  readonly force: boolean;
}

/** Removes a file, a link (not what it leads to) or a folder. */
export async function remove(path: string, { recursive, force }: RemoveOptions): Promise<void> {
  try {
    const stats = await lstat(path);
    if (!stats.isDirectory()) await unlink(path);
    else if (recursive) await rm(path, { recursive: true });
    else await rmdir(path);
  } catch (error) {
    if (!force || !isMissing(error)) throw error;
  }
}
