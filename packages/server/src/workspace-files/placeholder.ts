import { lstatSync, readdirSync, type Stats } from "node:fs";

/**
 * The sticky bit marks what a server has put in the place of a path that is not there, so that nothing else can be: nobody
 * else sets it on a file, or on a folder for one user alone.
 */
export const placeholderBit = 0o1000;

/** Whether a path only keeps its place: nobody has put anything there yet. It marks no project, and is no repository. */
export function isPlaceholder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return isMarked(found) && (!found?.isDirectory() || isEmpty(path));
}

/** Whether a server has made it as a placeholder. It may have become more since. */
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
