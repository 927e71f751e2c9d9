import type { GitDiffToRemoteResponse } from "@quire/protocol";
import { queryGit } from "../git/query-git.ts";

const timeoutMs = 60_000;

/** Remote branches to compare; the most recently changed come first. */
const maxBranches = 64;

/** New files to show; a folder with more is meant to be ignored. */
const maxUntracked = 500;

/** No colours, and no programs from a configuration. */
const plain = "--no-color --no-textconv --no-ext-diff --ignore-submodules=dirty";

/**
 * Prints the nearest commit of a remote, the changes since, and new files (as many as one command line holds). The
 * nearest is among the newest that `HEAD` shares with all branches together; if one of them is no commit, each is tried
 * separately. New files are listed meanwhile.
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
 * Everything in a folder beyond the nearest commit of a remote, new files included; `undefined` without such a commit.
 */
export async function diffToRemote(cwd: string, home: string): Promise<GitDiffToRemoteResponse | undefined> {
  const said = await queryGit({ cwd, home, script, timeoutMs });
  const end = said?.indexOf("\n") ?? -1;
  return said === undefined || end === -1 ? undefined : { sha: said.slice(0, end), diff: said.slice(end + 1) };
}
