import { closeSync, constants, fchmodSync, openSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { PinnedFolders } from "./pinned-folders.ts";

/** The content of a new file. */
export interface FileContent {
  readonly bytes: Uint8Array | string;
  /** Permission bits; `null` for the default. */
  readonly mode: number | null;
}

/** Writes what shall become a file beside it. Gives its path. */
export function stageFile(path: string, content: FileContent, folders: PinnedFolders): string {
  const staged = join(dirname(path), `.${basename(path)}.${crypto.randomUUID().slice(0, 8)}`);
  writeNewFile(staged, content, folders);
  return staged;
}

/** Writes a file that must not be there yet, in a folder with no link on the way. */
export function writeNewFile(path: string, { bytes, mode }: FileContent, folders: PinnedFolders): void {
  const target = inFolder(path, folders);
  // From its first byte on: what is private must not be seen for a moment.
  const descriptor = openSync(target, creating, mode === null ? 0o666 : mode & 0o777);
  try {
    writeFileSync(descriptor, bytes);
    if (mode !== null) fchmodSync(descriptor, mode);
  } catch (error) {
    unlinkSync(target);
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Fails when anything exists, even a broken link. */
const creating = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** Puts what was staged in the place of the file. A link there is replaced, not followed. */
export function placeFile(staged: string, path: string, folders: PinnedFolders): void {
  const folder = folders.at(dirname(path));
  renameSync(`${folder}/${basename(staged)}`, `${folder}/${basename(path)}`);
}

/** Removes a file. */
export function removeFile(path: string, folders: PinnedFolders): void {
  unlinkSync(inFolder(path, folders));
}

/** Removes what was staged; it may be gone. */
export function dropStaged(path: string, folders: PinnedFolders): void {
  rmSync(inFolder(path, folders), { force: true });
}

function inFolder(path: string, folders: PinnedFolders): string {
  return `${folders.at(dirname(path))}/${basename(path)}`;
}
