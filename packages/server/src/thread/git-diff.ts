import type { GitDiffToRemoteResponse } from "@quire/protocol";
import { queryGit } from "../git/query-git.ts";

/** Longest time that a diff may take. */
const timeoutMs = 60_000;

/** Remote branches that are looked at for the nearest; the first have changed last. */
const maxBranches = 64;

/** Files that git does not know yet and that are shown; a folder with more of them is meant to be ignored. */
const maxUntracked = 500;

/** Neither colours nor programs that a configuration names. */
const plain = "--no-color --no-textconv --no-ext-diff --ignore-submodules=dirty";

/**
 * Prints the nearest commit that a remote has, what has changed since, and new files: as many as one command line holds, which
 * are fewer than wanted where names are very long. The nearest is among the newest that `HEAD` shares with all branches taken
 * together; each branch is asked for by itself where one of them is no commit. New files are looked for meanwhile.
 */
const script = `
"$git" ls-files --others --exclude-standard -z | {
  tips=$("$git" for-each-ref --count=${maxBranches} --sort=-committerdate '--format=%(objectname)' refs/remotes)
  bases=$("$git" merge-base --all HEAD $tips) || bases=$(for tip in $tips; do "$git" merge-base HEAD "$tip"; done)
  nearest= least=
  case "$bases" in
  *[!0-9a-f]*)
    for base in $bases; do
      distance=$("$git" rev-list --count "$base..HEAD") || continue
      if [ -z "$least" ] || [ "$distance" -lt "$least" ]; then nearest=$base least=$distance; fi
    done ;;
  *) nearest=$bases ;;
  esac
  [ -n "$nearest" ] || exit 1
  echo "$nearest"
  "$git" diff ${plain} "$nearest" </dev/null || exit 1
  xargs -0 -n ${maxUntracked} -s 1000000 /bin/sh -c '
    for file do "$git" diff ${plain} --binary --no-index -- /dev/null "$file"; done
    exit 255' sh
  exit 0
}`;

/**
 * All that a folder has beyond the nearest commit that a remote has: commits, changes, and new files below the folder.
 * `undefined` where there is no such commit.
 */
export async function diffToRemote(cwd: string, home: string): Promise<GitDiffToRemoteResponse | undefined> {
  const said = await queryGit({ cwd, home, script, timeoutMs });
  const end = said?.indexOf("\n") ?? -1;
  return said === undefined || end === -1 ? undefined : { sha: said.slice(0, end), diff: said.slice(end + 1) };
}
