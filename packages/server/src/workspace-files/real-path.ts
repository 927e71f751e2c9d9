import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isPlaceholder } from "../sandbox/placeholder.ts";
import { statIfThere } from "../stat-if-there.ts";

/** A path without links; as it is where nothing is there yet. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Where a path really leads, also when its last parts do not exist yet. A link to nowhere stays in it. */
export function pathWithoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(pathWithoutLinks(parent), basename(path));
  }
}

/** Whether anything is at a path that can be seen. Says nothing of where it leads. */
export function isThere(path: string): boolean {
  try {
    return statIfThere(path) !== undefined;
  } catch {
    return false;
  }
}

/** The nearest folder upwards with a `.git`; `undefined` where there is none. */
export function repositoryRoot(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const marker = join(at, ".git");
    if (isThere(marker) && !isPlaceholder(marker)) return at;
    if (at === dirname(at)) return undefined;
  }
}
