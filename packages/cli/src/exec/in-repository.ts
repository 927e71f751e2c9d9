import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** True if a folder is in a git repository, so that an agent's changes there can be undone. */
export function isInRepository(folder: string): boolean {
  return repositoryAround(folder) !== undefined;
}

/** The top of the git repository around a folder. */
export function repositoryAround(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    // A worktree has a file there; a folder is a repository's only with a HEAD in it.
    const git = statSync(join(at, ".git"), { throwIfNoEntry: false });
    if (git?.isFile() || (git && existsSync(join(at, ".git", "HEAD")))) return at;
    if (at === dirname(at)) return undefined;
  }
}
