import { copyFile, lstat, mkdir, readdir, readlink, realpath, stat, symlink } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { isMissing } from "./file-errors.ts";

/** Entries of one folder copied at once, enough to keep every I/O thread busy. */
const parallel = 32;

/** Copies a file, a link as a link, or with `recursive` a folder and what is in it. Other kinds of entries are skipped. */
export async function copy(source: string, destination: string, recursive: boolean): Promise<void> {
  const stats = await lstat(source);
  if (stats.isDirectory()) {
    if (!recursive) throw invalidRequest("fs/copy requires recursive: true when sourcePath is a directory");
    await checkApart(source, destination);
    const isNew = (await mkdir(destination, { recursive: true })) !== undefined;
    await copyEntries(source, destination, isNew);
  } else if (stats.isSymbolicLink()) await symlink(await readlink(source), destination);
  else if (stats.isFile()) await copyBytes(source, destination);
  else throw invalidRequest("fs/copy only supports regular files, directories, and symlinks");
}

/** @param isNew True when we created the destination, so that nothing can be in the way. */
async function copyEntries(source: string, destination: string, isNew: boolean): Promise<void> {
  const entries = await readdir(source, { withFileTypes: true });
  // In the order of the list, so that the copy lies on the disk as it will be listed and removed.
  const rest = entries.values();
  const worker = async () => {
    for (const entry of rest) {
      // Not by `join`, which would look at every part of both paths anew.
      const from = `${source}${sep}${entry.name}`;
      const to = `${destination}${sep}${entry.name}`;
      if (entry.isDirectory()) {
        const made = await mkdir(to, { recursive: true });
        await copyEntries(from, to, made !== undefined);
      } else if (entry.isSymbolicLink()) await symlink(await readlink(from), to);
      else if (entry.isFile()) await (isNew ? copyFile(from, to) : copyBytes(from, to));
    }
  };
  await Promise.all(Array.from({ length: Math.min(parallel, entries.length) }, worker));
}

/** Copying a file onto itself would empty it. */
async function copyBytes(source: string, destination: string): Promise<void> {
  const [from, to] = await Promise.all([stat(source), stat(destination).catch(() => undefined)]);
  if (to === undefined || from.ino !== to.ino || from.dev !== to.dev) await copyFile(source, destination);
}

async function checkApart(source: string, destination: string): Promise<void> {
  const from = await realpath(source);
  const to = await realpathOf(destination);
  if (to === from || to.startsWith(from === sep ? sep : from + sep)) {
    throw invalidRequest("fs/copy cannot copy a directory to itself or one of its descendants");
  }
}

/** The real path of a file that may not exist yet. */
async function realpathOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    return join(await realpathOf(dirname(path)), basename(path));
  }
}
