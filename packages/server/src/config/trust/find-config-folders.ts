import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { impliedNames } from "./implied-words.ts";

/** Folders with other people's content, never a project's own configuration. */
const skipped: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules"]);

/** The remaining number of folders to visit. */
export interface WalkBudget {
  left: number;
}

/** Folders of a project, the nearest first. */
export interface ConfigFolders {
  readonly codex: readonly string[];
  /** Folders with a file that makes programs run something, such as `package.json`: threads often work there. */
  readonly packages: readonly string[];
}

/** Further packages are asked about when a thread works in them. */
const maxPackages = 100;

/** Searches a project, without links and nested repositories. What the budget misses is not trusted. */
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
    // Gone or unreadable.
    return [];
  }
}
