import { realpathSync } from "node:fs";

/** The path without links, in a list; `undefined` where it leads to nothing. */
export function realPath(path: string): [string] | undefined {
  try {
    return [realpathSync(path)];
  } catch {
    return undefined;
  }
}
