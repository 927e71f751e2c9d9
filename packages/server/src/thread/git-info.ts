import { dirname, join } from "node:path";
import type { GitInfo } from "@quire/protocol";
import { statIfThere } from "../stat-if-there.ts";
import { git as runGit } from "./git.ts";
import { withoutCredentials } from "./without-credentials.ts";

/** Longest time a look at git may take; a slow file system must not keep a process for ever. */
const timeoutMs = 5000;

/** Looks that are under way, by folder: threads that are started together share one. */
const underWay = new Map<string, Promise<GitInfo | undefined>>();

/** The commit, branch and origin of a folder; `undefined` where it is in no repository. */
export function gitInfo(cwd: string): Promise<GitInfo | undefined> {
  const shared = underWay.get(cwd);
  if (shared) return shared;
  const look = lookUp(cwd).finally(() => underWay.delete(cwd));
  underWay.set(cwd, look);
  return look;
}

async function lookUp(cwd: string): Promise<GitInfo | undefined> {
  // A process is only started where there is something for it to tell.
  if (!isBelowRepository(cwd)) return undefined;
  if (!(await git(cwd, ["rev-parse", "--git-dir"]))) return undefined;
  const [sha, branch, originUrl] = await Promise.all([
    git(cwd, ["rev-parse", "HEAD"]),
    git(cwd, ["branch", "--show-current"]),
    git(cwd, ["remote", "get-url", "origin"]),
  ]);
  // It is stored, and told to every client.
  return { sha, branch, originUrl: originUrl === null ? null : withoutCredentials(originUrl) };
}

/** Whether git may find a repository: a `.git` upwards, the inside of a bare one, or one that the environment names. */
function isBelowRepository(cwd: string): boolean {
  if (process.env.GIT_DIR) return true;
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (statIfThere(join(folder, ".git")) || statIfThere(join(folder, "HEAD"))) return true;
    if (folder === dirname(folder)) return false;
  }
}

async function git(cwd: string, args: readonly string[]): Promise<string | null> {
  return (await runGit(cwd, args, { timeoutMs }))?.trim() || null;
}
