import { lstatSync, type Stats } from "node:fs";

/**
 * The sticky bit marks what a server has put in the place of a path that is not there, so that nothing else can be: nobody
 * else sets it on a file, or on a folder for one user alone.
 */
export const placeholderBit = 0o1000;

/** Whether a path is a folder or file that only keeps its place. */
export function isPlaceholder(path: string): boolean {
  return isMarked(lstatSync(path, { throwIfNoEntry: false }));
}

/** Whether what was found is a placeholder that nobody has put anything into. */
export function isMarked(found: Stats | undefined): boolean {
  if (found === undefined || (found.mode & placeholderBit) === 0 || (found.mode & 0o022) !== 0) return false;
  return found.isDirectory() || found.isFile();
}
