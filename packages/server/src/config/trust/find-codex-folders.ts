import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";

/** Folders that hold what others have written, and none of them a project's own configuration. */
const skipped: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/** How many folders may still be looked into. */
export interface WalkBudget {
  left: number;
}

/**
 * The folders below a project's root that have a `.codex`, the nearest first. Repositories within are projects of their
 * own, and links are not followed. Where the budget ends, so does the search: what was not found is not trusted.
 */
export function findCodexFolders(root: string, budget: WalkBudget): string[] {
  const found: string[] = [];
  let level = [root];
  while (level.length > 0) {
    const next: string[] = [];
    for (const folder of level) {
      // The root itself is always looked into.
      if (budget.left <= 0 && folder !== root) return found;
      budget.left -= 1;
      const entries = entriesOf(folder);
      if (folder !== root && entries.some(({ name }) => name === ".git")) continue;
      for (const entry of entries) {
        if (entry.name === ".codex") found.push(folder);
        else if (entry.isDirectory() && !skipped.has(entry.name)) next.push(join(folder, entry.name));
      }
    }
    level = next;
  }
  return found;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone, or nobody's to look into.
    return [];
  }
}
