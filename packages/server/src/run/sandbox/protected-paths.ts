import { lstatSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isWithin } from "../../lib/is-within.ts";
import { protectedScripts } from "../../lib/protected-scripts.ts";
import { isPlaceholder } from "../../workspace-files/placeholder.ts";
import { readTextIfAny } from "../../workspace-files/read-file.ts";
import { anywhere } from "../../workspace-files/root.ts";
import { settingsNames } from "../../workspace-files/settings-names.ts";
import { realPath } from "./existing-path.ts";
import { startUpPaths } from "./start-up-paths.ts";

const maxPathBytes = 16 << 10;

/** The folders that are open to a command. */
export interface OpenFolders {
  /** All of them, including nested ones: each may be a repository. */
  readonly roots: readonly string[];
  /** The working folders. The others are for temporary files. */
  readonly projects: readonly string[];
  readonly user: string | undefined;
  readonly homes: readonly string[];
  /** Paths that whoever runs the command wants closed too. */
  readonly asked: readonly string[];
}

/** Paths that stay closed in writable folders, existing or not: they decide what runs outside of the sandbox. */
export function protectedPaths(folders: OpenFolders): string[] {
  const { roots, user, homes, asked } = folders;
  const settings = [...settingsPaths(folders), ...roots.flatMap((root) => gitFolder(join(root, ".git")))];
  const startUp = user ? startUpPaths(user) : [];
  const scripts = [...protectedScripts()].filter((path) => look(path)?.isFile());
  const found = [...settings, ...startUp, ...homes, ...scripts, ...asked].flatMap((path) => placeOf(path, roots));
  return [...new Set(found)].filter((path) => roots.some((root) => isWithin(path, root)));
}

/** The real path, existing or not; none for a broken link. */
function placeOf(path: string, roots: readonly string[]): string[] {
  const found = look(path);
  if (found === undefined) return roots.some((root) => isWithin(path, root)) ? missing(path, roots) : [];
  return found.isSymbolicLink() ? (realPath(path) ?? []) : [path];
}

/** A project's settings count from its root down to the thread's folder. */
function settingsPaths({ roots, projects }: OpenFolders): string[] {
  const all = (folder: string) => settingsNames.map((name) => join(folder, name));
  return roots.flatMap((root) => {
    // Nobody runs agents in a folder for temporary files, but a repository there takes in every folder below.
    if (!projects.includes(root)) return all(root).filter((path) => path.endsWith("/.git") || pathExists(path));
    return [...all(root), ...foldersAbove(root, projects).flatMap(all), ...markersAbove(root, roots)];
  });
}

/** A `.git` above a project without one would extend the project. */
function markersAbove(root: string, roots: readonly string[]): string[] {
  const marker = join(root, ".git");
  if (pathExists(marker) && !isPlaceholder(marker)) return [];
  return foldersAbove(root, roots).map((folder) => join(folder, ".git"));
}

function foldersAbove(folder: string, others: readonly string[]): string[] {
  const above: string[] = [];
  for (let at = dirname(folder); others.some((other) => isWithin(at, other)); at = dirname(at)) {
    above.push(at);
    if (at === dirname(at)) break;
  }
  return above;
}

/** The outermost part of a path that does not exist. */
function missing(path: string, roots: readonly string[]): string[] {
  const parent = dirname(path);
  if (pathExists(parent)) return [path];
  return roots.some((root) => isWithin(parent, root)) ? missing(parent, roots) : [];
}

function pathExists(path: string): boolean {
  return look(path) !== undefined;
}

/** `lstat` that does not throw for a missing path: that is the rule here, and throwing is slow. */
function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Below a file, or in a folder that cannot be entered.
    return undefined;
  }
}

/** Protected names that are links. Their targets are protected; a link itself cannot be mounted on. */
export function protectedLinks(folders: OpenFolders): string[] {
  return [...settingsPaths(folders), ...folders.asked].filter((path) => look(path)?.isSymbolicLink());
}

/** The repository of a worktree or submodule, whose `.git` is a file that names it. */
function gitFolder(path: string): string[] {
  // Mostly it is a folder, or not there.
  if (look(path)?.isDirectory() !== false) return [];
  const target = /^gitdir: (.+)$/m.exec(smallText(path) ?? "")?.[1];
  if (target === undefined) return [];
  const folder = resolve(dirname(path), target.trim());
  const common = commonFolder(folder);
  const found = common === undefined ? [folder] : [folder, common];
  return found.flatMap((each) => realPath(each) ?? []);
}

/** The folder that a worktree shares with others, with their hooks. */
function commonFolder(folder: string): string | undefined {
  const path = smallText(join(folder, "commondir"));
  return path === undefined ? undefined : resolve(folder, path.trim());
}

function smallText(path: string): string | undefined {
  return readTextIfAny(path, { ...anywhere(path), maxBytes: maxPathBytes });
}
