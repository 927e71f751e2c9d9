import { type Stats, statSync } from "node:fs";

/** Codes that mean, as ENOENT does, that a path leads nowhere. */
const nowhere: ReadonlySet<string | undefined> = new Set([
  "ENOTDIR",
  "ELOOP",
  "ENAMETOOLONG",
  // A NUL within it.
  "ERR_INVALID_ARG_VALUE",
]);

/** The stats of a path; `undefined` when nothing is there. Throws for other failures, such as missing permissions. */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (nowhere.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}
