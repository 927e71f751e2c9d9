import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { withRepositoryLock } from "./repository-lock.ts";
import { git, userGit } from "./safe-git.ts";
import { unsavedWork } from "./unsaved-work.ts";

/** Options of a new worktree. */
export interface WorktreeOptions {
  /** The repository. */
  readonly repository: string;
  /** An empty folder, such as a workspace that has just been made. */
  readonly folder: string;
  /** Default `quire/` and the folder's name. */
  readonly branch?: string | undefined;
  /** Start of a new branch. Default: the commit that the repository has checked out. */
  readonly from?: string | undefined;
}

/** Checks out a branch of its own into a folder. A branch that is there already, from an earlier run, is gone on with. */
export async function addWorktree({ repository, folder, branch, from }: WorktreeOptions): Promise<string> {
  const path = resolve(folder);
  const name = branch ?? `quire/${basename(path)}`;
  const own = (...args: string[]) => userGit(repository, args, path);
  const succeeds = (...args: string[]) =>
    own(...args).then(
      () => true,
      () => false,
    );
  if (name.startsWith("-") || !(await succeeds("check-ref-format", `refs/heads/${name}`))) {
    throw new Error(`${JSON.stringify(name)} is not a valid branch name: choose another with --branch`);
  }
  return withRepositoryLock(await commonOf(own), async () => {
    // What was removed by hand would still count as checked out.
    await own("worktree", "prune");
    if (await succeeds("rev-parse", "--verify", "--quiet", `refs/heads/${name}`)) {
      await own("worktree", "add", "--quiet", path, name);
      return name;
    }
    // As a commit: a name could be an option, and a remote branch would become the one that is pushed to.
    const start = (
      await own("rev-parse", "--verify", "--quiet", "--end-of-options", `${from ?? "HEAD"}^{commit}`).catch(() => "")
    ).trim();
    if (start === "")
      throw new Error(
        `${JSON.stringify(from ?? "HEAD")} is not a commit of ${repository}: fetch it, or choose another with --from`,
      );
    await own("worktree", "add", "--quiet", "--no-track", "-b", name, path, start);
    return name;
  });
}

/** Takes a worktree out of its repository. The branch stays. Throws where work would be lost, and leaves all as it is. */
export async function removeWorktree(folder: string): Promise<void> {
  const path = resolve(folder);
  if (!existsSync(join(path, ".git"))) return;
  const why = await unsavedWork(path, true);
  if (why !== undefined) throw new Error(`${path} was kept: ${why}. ${removeByHand(path)}`);
  const common = await commonOf((...args) => git(path, args));
  await withRepositoryLock(common, () => git(path, ["--git-dir", common, "worktree", "remove", "--force", path]));
}

/** The git directory that all worktrees of a repository share. */
async function commonOf(run: (...args: string[]) => Promise<string>): Promise<string> {
  return (await run("rev-parse", "--path-format=absolute", "--git-common-dir")).replace(/\n$/, "");
}

/** The command by which a person removes a worktree that was kept. */
export function removeByHand(path: string): string {
  return `Save what you need, then: rm -rf '${path.replaceAll("'", "'\\''")}'`;
}
