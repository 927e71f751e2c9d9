import { constants } from "node:fs";
import { type FileHandle, lstat, open, readdir, realpath, rm, rmdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { WorkspaceSecurityError } from "./workspace-error.ts";

/** Never follows a link, never waits for a pipe. */
const folderOnly = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Holds the folder at a path without links open and works in it. Others who write in the folders above may swap one for
 * a link at any moment; what is done below the path that `work` gets is done in that very folder (where folders can be
 * reached by descriptor, as on Linux).
 *
 * @param name How errors name what is looked for.
 */
export async function inFolder<T>(path: string, name: string, work: (held: string) => Promise<T>): Promise<T> {
  const folder = await open(path, folderOnly).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ELOOP" && cause.code !== "ENOTDIR") throw cause;
    throw new WorkspaceSecurityError(`The folder of ${name} was replaced meanwhile`, { cause });
  });
  try {
    const held = heldPath(folder, path);
    if ((await realpath(held)) !== path)
      throw new WorkspaceSecurityError(`The folder of ${name} was replaced meanwhile`);
    return await work(held);
  } finally {
    await folder.close();
  }
}

/** The path of an open folder, even when the path it was opened by changes. */
function heldPath(folder: FileHandle, path: string): string {
  return process.platform === "linux" ? `/proc/self/fd/${folder.fd}` : path;
}

/** Removes what has a name in a held folder, with all that is in it. No link is followed. */
export async function removeIn(held: string, name: string): Promise<void> {
  const path = join(held, name);
  if (process.platform !== "linux") return rm(path, { recursive: true, force: true });
  const facts = await lstat(path).catch(() => undefined);
  if (facts === undefined) return;
  if (!facts.isDirectory()) return unlink(path);
  const folder = await open(path, folderOnly);
  try {
    const inner = heldPath(folder, path);
    for (const each of await readdir(inner)) await removeIn(inner, each);
  } finally {
    await folder.close();
  }
  await rmdir(path);
}
