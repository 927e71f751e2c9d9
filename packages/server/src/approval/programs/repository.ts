import { lstatSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type GitSetting, parseGitConfig } from "../../git/config-file.ts";
import { readGitFile } from "../../git/read-git-file.ts";
import { isPlaceholder } from "../../workspace-files/placeholder.ts";
import { realPathOf } from "../../workspace-files/real-path.ts";

/** A repository as its files describe it. */
export interface FoundRepository {
  readonly top: string;
  /** The worktree's own folder. */
  readonly gitDir: string;
  /** The folder that all worktrees share. */
  readonly commonDir: string;
  /** Its own configuration, without includes. */
  readonly settings: readonly GitSetting[];
}

/** The repository that git would use in a folder; `odd` for a bare, unreadable or doubtful one. */
export function repositoryOf(cwd: string): FoundRepository | "none" | "odd" {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const marker = join(folder, ".git");
    if (pathExists(marker) && !isKept(marker)) return read(marker);
    if (
      pathExists(join(folder, "HEAD")) &&
      ["objects", "refs", "commondir"].some((name) => pathExists(join(folder, name)))
    ) {
      return "odd";
    }
    if (folder === dirname(folder)) return "none";
  }
}

/** True for the sandbox's placeholder, an empty file that says nothing. */
function isKept(marker: string): boolean {
  const stat = lstatSync(marker, { throwIfNoEntry: false });
  return isPlaceholder(marker) && (stat?.isDirectory() === true || stat?.size === 0);
}

function read(marker: string): FoundRepository | "odd" {
  const gitDir = gitDirOf(marker);
  if (gitDir === undefined || !/^(ref: refs\/.+|[0-9a-f]{40,64})\n?$/.test(readGitFile(join(gitDir, "HEAD")) ?? "")) {
    return "odd";
  }
  const shared = pathExists(join(gitDir, "commondir")) ? readGitFile(join(gitDir, "commondir"))?.trim() : "";
  if (shared === undefined) return "odd";
  const commonDir = realPathOf(resolve(gitDir, shared));
  if (!["objects", "refs"].every((name) => pathExists(join(commonDir, name)))) return "odd";
  const settings = [join(commonDir, "config"), join(gitDir, "config.worktree")].map(settingsOf);
  if (settings.includes(undefined)) return "odd";
  return { top: dirname(marker), gitDir, commonDir, settings: settings.flatMap((each) => each ?? []) };
}

function gitDirOf(marker: string): string | undefined {
  const real = realPathOf(marker);
  const stat = lstatSync(real, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return real;
  const named = stat?.isFile() ? /^gitdir: ([^\n]+)\n*$/.exec(readGitFile(real) ?? "")?.[1] : undefined;
  return named === undefined ? undefined : realPathOf(resolve(dirname(real), named));
}

/** The settings in a file, none when it is missing; `undefined` when it is unreadable. */
function settingsOf(file: string): readonly GitSetting[] | undefined {
  if (!pathExists(file)) return [];
  const text = readGitFile(file);
  return text === undefined ? undefined : parseGitConfig(text);
}

/** True when anything is at a path, even a broken link. */
function pathExists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
