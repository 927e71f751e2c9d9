import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** True if a folder is in a git repository, so that an agent's changes there can be undone. */
export function isInRepository(folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return true;
    if (at === dirname(at)) return false;
  }
}
