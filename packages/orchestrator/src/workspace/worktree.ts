import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";

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
  await git(repository, ["worktree", "prune"]);
  const known = await git(repository, ["rev-parse", "--verify", "--quiet", `refs/heads/${name}`]).then(
    () => true,
    () => false,
  );
  const what = known ? [path, name] : ["-b", name, path, from ?? "HEAD"];
  await git(repository, ["worktree", "add", "--quiet", ...what]);
  return name;
}

/** Takes a worktree out of its repository, with all that is not committed. The branch stays. */
export async function removeWorktree(folder: string): Promise<void> {
  const path = resolve(folder);
  if (!existsSync(join(path, ".git"))) return;
  const repository = (await git(path, ["rev-parse", "--path-format=absolute", "--git-common-dir"])).trim();
  await git(repository, ["worktree", "remove", "--force", path]);
}

function git(folder: string, args: readonly string[]): Promise<string> {
  return new Promise((done, fail) => {
    execFile("git", ["-C", folder, ...args], (error, stdout, stderr) => {
      if (error)
        fail(
          new Error(`git ${args.slice(0, 2).join(" ")} failed: ${stderr.trim() || error.message}`, { cause: error }),
        );
      else done(stdout);
    });
  });
}
