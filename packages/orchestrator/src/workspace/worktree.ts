import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { git } from "./safe-git.ts";
import { unsavedWork } from "./unsaved-work.ts";

/** Where a worktree is made, and of what. */
export interface WorktreeOptions {
  /** The repository. */
  readonly repository: string;
  /** An empty folder, such as a workspace that has just been made. */
  readonly folder: string;
  /** Default `quire/` and the folder's name. */
  readonly branch?: string | undefined;
  /** What a new branch starts from. Default: what the repository has checked out. */
  readonly from?: string | undefined;
}

/** Checks out a branch of its own into a folder. A branch that is there already, from an earlier run, is gone on with. */
export async function addWorktree({ repository, folder, branch, from }: WorktreeOptions): Promise<string> {
  const path = resolve(folder);
  const name = branch ?? `quire/${basename(path)}`;
  // What was removed by hand would still count as checked out.
  await ownGit(repository, ["worktree", "prune"]);
  const known = await ownGit(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${name}`]).then(
    () => true,
    () => false,
  );
  const what = known ? [path, name] : ["-b", name, path, from ?? "HEAD"];
  await ownGit(repository, ["worktree", "add", "--quiet", ...what]);
  return name;
}

/** Takes a worktree out of its repository. The branch stays. Throws where work would be lost, and leaves all as it is. */
export async function removeWorktree(folder: string): Promise<void> {
  const path = resolve(folder);
  if (!existsSync(join(path, ".git"))) return;
  const why = await unsavedWork(path, true);
  if (why !== undefined) throw new Error(`${path} is kept: ${why}. ${removeByHand(path)}`);
  const common = (await git(path, ["rev-parse", "--path-format=absolute", "--git-common-dir"])).replace(/\n$/, "");
  await git(path, ["--git-dir", common, "worktree", "remove", "--force", path]);
}

/** How a person removes what was kept. */
export function removeByHand(path: string): string {
  return `Save what you need, then: rm -rf '${path.replaceAll("'", "'\\''")}'`;
}

/** Git in the user's own repository, with its hooks and filters: no agent has worked there. */
function ownGit(folder: string, args: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    execFile("git", ["-C", folder, ...args], (error, stdout, stderr) => {
      if (!error) return done(stdout);
      fail(new Error(`git ${args.slice(0, 2).join(" ")} failed: ${stderr.trim() || error.message}`, { cause: error }));
    });
  });
}
