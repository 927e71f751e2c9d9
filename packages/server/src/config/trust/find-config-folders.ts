import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { impliedNames } from "./implied-words.ts";

/** Folders that hold what others have written, and none of them a project's own configuration. */
const skipped: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/** How many folders may still be looked into. */
export interface WalkBudget {
  left: number;
}

/** Folders of a project, the nearest first. */
export interface ConfigFolders {
  /** Those that have a `.codex`. */
  readonly codex: readonly string[];
  /** Those that have a file by which programs know what to run, such as `package.json`: threads often work there. */
  readonly packages: readonly string[];
}

/** Packages beyond this many are asked about when they are worked in. */
const maxPackages = 100;

/**
 * Looks through a project. Repositories within are projects of their own, and links are not followed. Where the budget
 * ends, so does the search: what was not found is not trusted.
 */
export function findConfigFolders(root: string, budget: WalkBudget): ConfigFolders {
  const codex: string[] = [];
  const packages: string[] = [];
  const found = { codex, packages };
  let level = [root];
  while (level.length > 0) {
    const next: string[] = [];
    for (const folder of level) {
      // The root itself is always looked into.
      if (budget.left <= 0 && folder !== root) return found;
      budget.left -= 1;
      const entries = entriesOf(folder);
      if (folder !== root && entries.some(({ name }) => name === ".git")) continue;
      if (packages.length < maxPackages && entries.some(({ name }) => impliedNames.has(name))) packages.push(folder);
      for (const entry of entries) {
        if (entry.name === ".codex") codex.push(folder);
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
