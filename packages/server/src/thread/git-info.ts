import { dirname, join } from "node:path";
import type { GitInfo } from "@quire/protocol";
import { findProgram } from "../exec/find-program.ts";
import { statIfThere } from "../stat-if-there.ts";

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
  return { sha, branch, originUrl };
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
  // Never one that a command has left in the folder itself.
  const program = findProgram("git", process.env.PATH, [cwd]);
  if (program === undefined) return null;
  const child = Bun.spawn([program, ...args], {
    cwd,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: timeoutMs,
    env: { ...process.env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0" },
  });
  const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
  return code === 0 ? output.trim() || null : null;
}
