import { type Stats, statSync } from "node:fs";

/** Codes that say, as ENOENT does, that a path leads nowhere. */
const nowhere: ReadonlySet<string | undefined> = new Set(["ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** What a path leads to; `undefined` where it leads nowhere. Other failures, such as missing rights, are thrown. */
export function statIfExists(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (nowhere.has((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}
