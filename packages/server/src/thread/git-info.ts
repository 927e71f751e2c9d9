import type { GitInfo } from "@quire/protocol";
import { findProgram } from "../exec/find-program.ts";

/** Longest time a look at git may take; a slow file system must not keep a process for ever. */
const timeoutMs = 5000;

/** The commit, branch and origin of a folder; `undefined` where it is in no repository. */
export async function gitInfo(cwd: string): Promise<GitInfo | undefined> {
  if (!(await git(cwd, ["rev-parse", "--git-dir"]))) return undefined;
  const [sha, branch, originUrl] = await Promise.all([
    git(cwd, ["rev-parse", "HEAD"]),
    git(cwd, ["branch", "--show-current"]),
    git(cwd, ["remote", "get-url", "origin"]),
  ]);
  return { sha, branch, originUrl };
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
