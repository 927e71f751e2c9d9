import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { statIfExists } from "../lib/stat-if-exists.ts";
import { isPlaceholder } from "./placeholder.ts";

/** A path without links; as it is where nothing is there yet. */
export function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The real path, also when its last parts do not exist yet. Keeps a broken link. */
export function pathWithoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(pathWithoutLinks(parent), basename(path));
  }
}

/** The real target of writing to a path; `undefined` when it is unknown, as behind a broken link. */
export function writeDestination(path: string): string | undefined {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return realpathSync(path);
    if (dirname(path) === path) return undefined;
    const parent = writeDestination(dirname(path));
    return parent === undefined ? undefined : join(parent, basename(path));
  } catch {
    // A link to nowhere, a loop, a folder that cannot be entered.
    return undefined;
  }
}

/**
 * The kind of a path's last name: new or the only one (`own`), one of several names of a file (`shared`), or something
 * that must be followed or cannot be seen (`link`).
 */
export function ownName(path: string): "own" | "shared" | "link" {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return "own";
    if (!found.isFile()) return "link";
    return found.nlink > 1 ? "shared" : "own";
  } catch {
    return "link";
  }
}

/** True when anything visible is at a path, even a broken link. */
export function pathExists(path: string): boolean {
  try {
    return statIfExists(path) !== undefined;
  } catch {
    return false;
  }
}

/** The nearest folder upwards with a `.git`; `undefined` where there is none. */
export function repositoryRoot(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const marker = join(at, ".git");
    if (pathExists(marker) && !isPlaceholder(marker)) return at;
    if (at === dirname(at)) return undefined;
  }
}
