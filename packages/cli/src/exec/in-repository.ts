import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Whether a folder is within a git repository, so that what an agent changes there can be undone. */
export function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (at === dirname(at)) return false;
  }
}
