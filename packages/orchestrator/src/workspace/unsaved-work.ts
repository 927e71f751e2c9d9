import { lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { visibleText } from "@quire/protocol";
import { isWithin } from "../lib/within.ts";
import { git } from "./safe-git.ts";

/** Folders and files that are looked at; who has more is left to a person. */
const maxEntries = 500_000;

/**
 * Why a workspace must not be removed: it holds work that is nowhere else, or nobody can say. Undefined where all of it is
 * elsewhere: in a branch of a repository outside, or pushed.
 *
 * @param isFilled Whether files were put there for the agent: then a folder without a repository has lost it.
 */
export async function unsavedWork(folder: string, isFilled: boolean): Promise<string | undefined> {
  try {
    const real = await realpath(folder);
    const repositories = await findRepositories(real);
    if (!repositories.includes(real) && (isFilled || repositories.length > 0)) {
      const beside = (await readdir(real)).find((name) => !repositories.includes(join(real, name)));
      if (beside !== undefined) return `${quoted(beside)} is in no git repository`;
    }
    for (const repository of repositories) {
      const why = await unsavedIn(repository, real);
      if (why !== undefined) return repository === real ? why : `${repository}: ${why}`;
    }
    return undefined;
  } catch (error) {
    return `could not check it: ${(error as Error).message}`;
  }
}

/** A name that an agent chose: it must not read like the rest of the message, which tells what to do. */
const quoted = (name: string) => JSON.stringify(visibleText(name.slice(0, 200), { oneLine: true }));

async function findRepositories(top: string): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [top];
  let seen = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      if (++seen > maxEntries) throw new Error(`it holds more than ${maxEntries} files`);
      if (entry.name === ".git") found.push(folder);
      else if (entry.isDirectory()) open.push(join(folder, entry.name));
    }
  }
  return found;
}

async function unsavedIn(repository: string, workspace: string): Promise<string | undefined> {
  const top = (await git(repository, ["rev-parse", "--show-toplevel"])).replace(/\n$/, "");
  // core.worktree may have git look at other files.
  if (top !== repository) throw new Error(`git takes ${top} for the files of ${repository}`);
  // Submodules are repositories of their own here; git would look at them with their configuration.
  const status = ["status", "--porcelain", "-z", "--untracked-files=all", "--ignore-submodules=dirty"];
  const changed = (await git(repository, status)).split("\0").filter((line) => line !== "");
  if (changed[0] !== undefined) return `${changed.length} uncommitted files, such as ${quoted(changed[0].slice(3))}`;
  const hidden = await hiddenChange(repository);
  if (hidden !== undefined) return `git is set to ignore changes of ${quoted(hidden)}`;
  const hasHead = await git(repository, ["rev-parse", "--verify", "--quiet", "HEAD"]).then(
    () => true,
    () => false,
  );
  const head = hasHead ? ["HEAD"] : [];
  const common = await realpath(
    (await git(repository, ["rev-parse", "--path-format=absolute", "--git-common-dir"])).replace(/\n$/, ""),
  );
  const isOwn = isWithin(workspace, common);
  // Branches and stashes of a worktree stay in its repository; those of a clone go with it.
  const commits = isOwn
    ? ["--exclude=refs/tags/*", "--exclude=refs/remotes/*", "--all", ...head, "--not", "--remotes"]
    : [...head, "--not", "--branches", "--remotes", "--tags"];
  if (!isOwn && !hasHead) return undefined;
  if ((await git(repository, ["rev-list", "--max-count=1", ...commits])) === "") return undefined;
  return isOwn ? "unpushed commits or stashes" : "commits without a branch";
}

/** A file that the index marks as unchanged whatever it holds. */
async function hiddenChange(repository: string): Promise<string | undefined> {
  for (const line of (await git(repository, ["ls-files", "-v", "-z"])).split("\0")) {
    const [mark = "", path] = [line[0], line.slice(2)];
    if (/[a-z]/.test(mark)) return path;
    // A sparse checkout leaves out what is not there.
    const isThere = () =>
      lstat(join(repository, path)).then(
        () => true,
        () => false,
      );
    if (mark === "S" && (await isThere())) return path;
  }
  return undefined;
}
