import { readdirSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { isWithin } from "../../lib/is-within.ts";
import { readFile } from "../../workspace-files/read-file.ts";
import { pathWithoutLinks } from "../../workspace-files/real-path.ts";
import { isInert } from "./inert-settings.ts";
import { type FoundRepository, repositoryOf } from "./repository.ts";
import type { WritablePlaces } from "./writable-places.ts";

/** Programs that run git in their folder. */
const usingGit = new Set("gh git git-lfs glab go hub tea tig".split(" "));

/** Git commands that read submodules, by a git of their own. */
const intoSubmodules = new Set(["diff", "status"]);

/** A larger index is not searched. */
const maxIndexBytes = 64 << 20;

/** Commands and the folders they run in. */
export interface RepositoryCase {
  readonly commands: readonly (readonly string[])[];
  /** The script's first folder. */
  readonly folder: string;
  readonly places: WritablePlaces;
  /** The working folders. The `.git` at the top of each is closed to commands. */
  readonly workspace: readonly string[];
}

/** True when git runs nothing of a repository's choice in read-only commands, with watchers and hooks switched off. */
export function runsNothing(given: RepositoryCase): boolean {
  const gits = given.commands.filter(([name]) => isGit(name));
  if (gits.length === 0) return true;
  const folders = foldersOf(given);
  if (folders === undefined) return false;
  const descends = gits.some((words) => words.some((word) => intoSubmodules.has(word)));
  return folders.every((folder) => {
    const found = repositoryOf(folder);
    if (typeof found === "string") return found === "none";
    return found.settings.every(isInert) && !(descends && hasSubmodules(found));
  });
}

/**
 * Variables that bind commands to the repository of their folder, even if a model creates another in between.
 * `undefined` when a model can write its settings or hooks, or controls which one it is.
 */
export function ownRepository(given: RepositoryCase): Readonly<Record<string, string>> | undefined {
  if (!given.commands.some(([name = ""]) => usingGit.has(baseName(name)))) return {};
  const { places, workspace } = given;
  const roots = workspace.map(pathWithoutLinks);
  const isClosed = (path: string) => roots.some((root) => isWithin(path, join(root, ".git"))) || !places.has(path);
  const folders = foldersOf(given) ?? [];
  const found = folders.map(repositoryOf);
  const [first] = found;
  // Without a repository, nobody can add one: at the top of the work, or where commands cannot write.
  if (first === "none") {
    return found.every((each, at) => each === first && isClosed(join(folders[at] as string, ".git"))) ? {} : undefined;
  }
  if (typeof first !== "object" || !isOwn(first, isClosed)) return undefined;
  if (!found.every((each) => typeof each === "object" && each.gitDir === first.gitDir)) return undefined;
  if (folders.every((folder) => folder === first.top)) return {};
  return { GIT_DIR: first.gitDir, GIT_WORK_TREE: first.top };
}

function isOwn(found: FoundRepository, isClosed: (path: string) => boolean): boolean {
  const { top, gitDir, commonDir, settings } = found;
  if (![join(top, ".git"), gitDir, commonDir].every(isClosed)) return false;
  // Hooks and further settings may lie among the files of the work.
  return settings.every(({ section, key, value }) => {
    const leads = (section === "core" && key === "hookspath") || (section.startsWith("include") && key === "path");
    return !leads || isOwnPath(value, found, isClosed);
  });
}

function isOwnPath(value: string, { top, commonDir }: FoundRepository, isClosed: (path: string) => boolean): boolean {
  if (value.startsWith("~")) return false;
  // Hooks are looked for from the top of the files, includes from where they are named.
  const paths = isAbsolute(value) ? [value] : [resolve(top, value), resolve(commonDir, value)];
  return paths.every(isClosed);
}

/** The folders of commands: the script's, and that of a `cd` at its start. `undefined` when unknown. */
function foldersOf({ commands, folder }: RepositoryCase): string[] | undefined {
  const [first, ...rest] = commands;
  if (rest.some(([name]) => name === "cd")) return undefined;
  const folders = [folder];
  if (first?.[0] === "cd") {
    const [, target, more] = first;
    if (target === undefined || target.startsWith("-") || more !== undefined) return undefined;
    folders.push(resolve(folder, target));
  }
  for (const words of commands) {
    // The only option before the command that is followed: any other is in the rule that allows it.
    if (isGit(words[0]) && words[1] === "-C" && words[2] !== undefined)
      folders.push(...folders.map((each) => resolve(each, words[2] as string)));
  }
  return folders.map(pathWithoutLinks);
}

/** True when the index may name submodules: bytes that look like one are enough. */
function hasSubmodules({ gitDir }: FoundRepository): boolean {
  try {
    if (readdirSync(gitDir).some((name) => name.startsWith("sharedindex."))) return true;
    const access = { root: { path: gitDir, trusted: true }, home: "/nonexistent", maxBytes: maxIndexBytes };
    const index = readFile(join(gitDir, "index"), access)?.bytes;
    if (index === undefined) return false;
    // The mode of a submodule. Up to the third version entries lie at every eighth byte.
    const aligned = index.length > 12 && index.readUInt32BE(4) < 4;
    const mode = Buffer.from([0, 0, 0xe0, 0]);
    for (let at = index.indexOf(mode); at >= 0; at = index.indexOf(mode, at + 1))
      if (!aligned || at % 8 === 4) return true;
    return false;
  } catch {
    return true;
  }
}

function isGit(program: string | undefined): boolean {
  return baseName(program ?? "") === "git";
}

function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}
