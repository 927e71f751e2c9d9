import { dirname, join, resolve } from "node:path";
import { statIfExists } from "../lib/stat-if-exists.ts";
import { readGitFile } from "./read-git-file.ts";

/** The folders of a repository. */
export interface Repository {
  /** The top of the working files; for a bare repository the folder itself. */
  readonly worktree: string;
  /** The worktree's own part: `HEAD` and the index. */
  readonly gitDir: string;
  /** The part that all worktrees share: branches, objects and configuration. */
  readonly commonDir: string;
}

/** The repository of a folder, found as git does but without its configuration; `undefined` for none. */
export function findRepository(cwd: string): Repository | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const gitDir = gitDirOf(folder);
    if (gitDir !== undefined) return { worktree: folder, gitDir, commonDir: commonDirOf(gitDir) };
    if (folder === dirname(folder)) return undefined;
  }
}

function gitDirOf(folder: string): string | undefined {
  const dotGit = join(folder, ".git");
  const stats = lookAt(dotGit);
  if (stats?.isDirectory() && isGitDir(dotGit)) return dotGit;
  if (stats?.isFile()) {
    const named = /^gitdir: (.+?)\n*$/.exec((readGitFile(dotGit) ?? "").slice(0, 8192))?.[1];
    const target = named === undefined ? undefined : resolve(folder, named);
    if (target !== undefined && isGitDir(target)) return target;
  }
  return isGitDir(folder) ? folder : undefined;
}

function isGitDir(folder: string): boolean {
  if (!lookAt(join(folder, "HEAD"))) return false;
  const commonDir = commonDirOf(folder);
  return Boolean(lookAt(join(commonDir, "objects")) && lookAt(join(commonDir, "refs")));
}

function commonDirOf(gitDir: string): string {
  const named = readGitFile(join(gitDir, "commondir"))?.trim();
  return named ? resolve(gitDir, named) : gitDir;
}

function lookAt(path: string): ReturnType<typeof statIfExists> {
  try {
    return statIfExists(path);
  } catch {
    return undefined;
  }
}
