import { lstatSync, realpathSync } from "node:fs";
import type { MadeOf } from "./made-of.ts";

/** Figures for each file. */
const perFile = 3;

/**
 * Size and times of files; NaN, which equals nothing, for one that is not there. The time of the last change of any kind
 * cannot be set by hand, so an edit is noticed also when it keeps size and date.
 */
export function marksOf(files: readonly string[]): number[] {
  return files.flatMap((file) => {
    const found = lstatSync(file, { throwIfNoEntry: false });
    return found ? [found.size, found.mtimeMs, found.ctimeMs] : [Number.NaN, Number.NaN, Number.NaN];
  });
}

/** True when a bundle is what the sources of a package say now. */
export function isCurrent({ cli, files, marks }: MadeOf, path: string): boolean {
  try {
    if (realpathSync(path) !== cli) return false;
    for (let n = 0; n < files.length; n++) {
      const { size, mtimeMs, ctimeMs } = lstatSync(files[n] as string);
      const at = n * perFile;
      if (size !== marks[at] || mtimeMs !== marks[at + 1] || ctimeMs !== marks[at + 2]) return false;
    }
    return true;
  } catch {
    // One is gone.
    return false;
  }
}
