import { lstatSync, realpathSync } from "node:fs";

/** The path without links, in a list; `undefined` where it leads to nothing. */
export function realPath(path: string): [string] | undefined {
  try {
    // To throw takes longer than to look.
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    return [realpathSync(path)];
  } catch {
    return undefined;
  }
}
