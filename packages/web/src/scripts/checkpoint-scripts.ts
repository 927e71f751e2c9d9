import { scriptWords } from "../words/words.ts";
import { openRepository } from "./open-repository.ts";
import { snapshot } from "./snapshot.ts";

/** Checkpoints of one repository that are kept; the oldest go first. */
const maxCheckpoints = 200;
/** Prints a commit of the work tree as it is. Nothing refers to it yet. */
export const saveScript: string = `${snapshot}
keep "$now"
`;

/** Keeps the commit `$COMMIT` as the state before the turn `$TURN` of `$THREAD`, unless there is one; drops old ones. */
export const nameScript: string = `${openRepository}
case "$THREAD$TURN$COMMIT" in *[!A-Za-z0-9_-]*) echo "${scriptWords.badId}" >&2; exit 5;; esac
ref=refs/quire/checkpoints/$THREAD/$TURN
git rev-parse -q --verify "$ref" > /dev/null || git update-ref "$ref" "$COMMIT"
git for-each-ref --sort=-committerdate --format='%(refname)' refs/quire/checkpoints | tail -n +${maxCheckpoints + 1} |
  while read -r old; do git update-ref -d "$old"; done
`;

/** Prints the checkpoints of `$THREAD`: the turn and its commit in each line. */
export const listScript: string = `${openRepository}
case "$THREAD" in *[!A-Za-z0-9_-]*) echo "${scriptWords.badId}" >&2; exit 5;; esac
git for-each-ref --format='%(refname:lstrip=4) %(objectname)' "refs/quire/checkpoints/$THREAD/"
`;

/** Prints the diff from `$COMMIT` to the work tree. */
export const compareScript: string = `${snapshot}
git diff --no-ext-diff --no-textconv --no-color --no-renames --src-prefix=a/ --dst-prefix=b/ --ignore-submodules=all "$COMMIT" "$now"
`;

/**
 * Brings files back to what they were in `$COMMIT`: those that are its arguments, or all. What there is now becomes a
 * checkpoint first, whose commit is printed. Ignored files, and those that were left out, are never replaced or removed.
 */
export const restoreScript: string = `${snapshot}
before=$(keep "$now")
git update-ref "refs/quire/checkpoints/$THREAD/undone-$before" "$before"
target=$(git rev-parse -q --verify "$COMMIT^{tree}") || { echo "${scriptWords.checkpointGone}" >&2; exit 5; }
if [ $# -gt 0 ]; then
  cp -p "$view/index" "$view/target-index"
  for path do
    entry=$(GIT_LITERAL_PATHSPECS=1 git ls-tree "$COMMIT" -- "$path" | sed -n '1s/^\\([0-7]*\\) [a-z]* \\([0-9a-f]*\\).*/\\1 \\2/p')
    if [ -n "$entry" ]; then
      GIT_INDEX_FILE="$view/target-index" git update-index --add --replace --cacheinfo "\${entry% *},\${entry#* },$path"
    else
      GIT_INDEX_FILE="$view/target-index" git update-index --force-remove -- "$path"
    fi
  done
  target=$(GIT_INDEX_FILE="$view/target-index" git write-tree)
fi
git read-tree -m -u "$now" "$target"
printf '%s\\n' "$before"
`;
