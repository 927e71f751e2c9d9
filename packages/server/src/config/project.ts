import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { statReadable } from "./config-files.ts";
import { isTable, type Table } from "./table.ts";

/** What the user has said about a project; `undefined` for nothing. */
export type Trust = "trusted" | "untrusted" | undefined;

/** The project around a folder. */
export interface Project {
  /** The nearest folder upwards with a `.git`, else the folder itself. */
  readonly root: string;
  /** From the root down to the folder. */
  readonly folders: readonly string[];
  readonly trust: Trust;
}

/** Finds the project around `cwd`, and in the user's own config whether it is trusted. */
export function findProject(cwd: string, user: Table): Project {
  const root = projectRoot(cwd);
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === root || folder === dirname(folder)) break;
  }
  return { root, folders, trust: trustOf([...folders].reverse(), user) };
}

function projectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (statReadable(join(folder, ".git"))) return folder;
    if (folder === dirname(folder)) return cwd;
  }
}

/** The nearest folder that the user has said something about decides; a name may be given with or without links resolved. */
function trustOf(folders: readonly string[], user: Table): Trust {
  const projects = isTable(user.projects) ? user.projects : {};
  for (const folder of folders) {
    const entry = projects[folder] ?? projects[resolved(folder)];
    const level = isTable(entry) ? entry.trust_level : undefined;
    if (level === "trusted" || level === "untrusted") return level;
  }
  return undefined;
}

function resolved(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
