import { lstatSync, readdirSync, type Stats } from "node:fs";

/** The sticky bit marks a server's placeholder. Nobody else sets it on a file or a private folder. */
export const placeholderBit = 0o1000;

/** True for an untouched placeholder. It marks no project and is no repository. */
export function isPlaceholder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return isMarked(found) && (!found?.isDirectory() || isEmpty(path));
}

/** True when a server created it as a placeholder. It may have become more since. */
export function isMarked(found: Stats | undefined): boolean {
  if (found === undefined || (found.mode & placeholderBit) === 0 || (found.mode & 0o022) !== 0) return false;
  return found.isDirectory() || found.isFile();
}

function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return true;
  }
}
