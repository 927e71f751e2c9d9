import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWithin } from "../lib/is-within.ts";
import { isTable, type Table } from "../lib/table.ts";
import { isPlaceholder } from "../workspace-files/placeholder.ts";
import { statReadable } from "./config-files.ts";

/** The user's decision about a project; `undefined` when there is none. */
export type Trust = "trusted" | "untrusted" | undefined;

/** A folder that may hold a project's own configuration. */
export interface ProjectFolder {
  readonly path: string;
  readonly trust: Trust;
  /** The `[projects]` entry that decides: the folder's own, else the nearest one above. */
  readonly entry: string | undefined;
}

/** The project around a folder. */
export interface Project {
  /** The nearest folder upwards with a `.git`, else the folder itself. */
  readonly root: string;
  /** From the root down to the folder. */
  readonly folders: readonly ProjectFolder[];
  readonly trust: Trust;
}

/** Finds the project around `cwd`, and in the user's own config whether it is trusted. */
export function findProject(cwd: string, user: Table): Project {
  const root = projectRoot(cwd);
  const paths: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    paths.unshift(folder);
    if (folder === root || folder === dirname(folder)) break;
  }
  const projects = isTable(user.projects) ? user.projects : {};
  const folders: ProjectFolder[] = [];
  for (const path of paths) {
    const said = ownEntry(path, projects) ?? inherited(path, folders.at(-1));
    folders.push({ path, trust: said?.trust, entry: said?.entry });
  }
  return { root, folders, trust: folders.at(-1)?.trust };
}

/** The level that an entry of `[projects]` sets. */
export function trustLevel(entry: unknown): Trust {
  const level = isTable(entry) ? entry.trust_level : undefined;
  return level === "trusted" || level === "untrusted" ? level : undefined;
}

function projectRoot(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const marker = join(folder, ".git");
    if (statReadable(marker) && !isPlaceholder(marker)) return folder;
    if (folder === dirname(folder)) return cwd;
  }
}

/** An entry may name its folder with or without links. */
function ownEntry(folder: string, projects: Table): Pick<ProjectFolder, "trust" | "entry"> | undefined {
  for (const entry of new Set([folder, resolved(folder)])) {
    const trust = Object.hasOwn(projects, entry) ? trustLevel(projects[entry]) : undefined;
    if (trust !== undefined) return { trust, entry };
  }
  return undefined;
}

/** The trust of the folder above, unless the path only seems to lie below it: a link or `..` may lead out of it. */
function inherited(path: string, above: ProjectFolder | undefined): Pick<ProjectFolder, "trust" | "entry"> | undefined {
  if (above?.trust !== "trusted" || above.entry === undefined) return above;
  return isWithin(resolved(path), resolved(above.entry)) ? above : undefined;
}

/** The folder without links; as it is where it cannot be resolved. */
export function resolved(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
