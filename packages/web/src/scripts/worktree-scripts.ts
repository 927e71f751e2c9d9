import { scriptWords } from "../words/words.ts";
import { snapshot } from "./snapshot.ts";

/** Names the checkout that worktrees belong to, and makes the folders absolute. */
const checkouts = `${snapshot}
start=$OLDPWD
common=$(cd -P "$common" && pwd -P)
gd=$(cd -P "$gd" && pwd -P)
case $common in */.git) main=\${common%/.git};; *) echo "${scriptWords.noCheckout}" >&2; exit 5;; esac
`;

/** Prints where the folder stands: its work tree, the main one, its branch, and how much of it only the files hold. */
export const whereScript: string = `${checkouts}
linked=
[ "$gd" = "$common" ] || linked=1
count() { tr -cd '\\000' | wc -c | tr -d ' '; }
changed=$(git diff-tree -r -z --name-only --no-renames \${head:-$(git hash-object -t tree /dev/null)} "$now" | count)
ignored=$(git ls-files -z --others --ignored --exclude-standard --directory | count)
printf 'top=%s\\nmain=%s\\nlinked=%s\\nbranch=%s\\nchanged=%s\\nignored=%s\\n' "$top" "$main" "$linked" "\${branch#refs/heads/}" "$changed" "$ignored"
`;

/**
 * Makes the worktree `$NAME` on a branch of its own beside the main checkout, with `$CARRY` with the uncommitted changes
 * as well, and prints the folder in it that is the current one here. Git's own command would run the repository's hooks.
 */
export const createScript: string = `${checkouts}
[ -n "$head" ] || { echo "${scriptWords.commitFirst}" >&2; exit 5; }
case $NAME in ''|*[!a-z0-9-]*) echo "${scriptWords.badWorktree("$NAME")}" >&2; exit 5;; esac
target=$main.worktrees/$NAME
admin=$common/worktrees/$NAME
new=refs/heads/quire/$NAME
if [ -e "$target" ] || [ -e "$admin" ] || git rev-parse -q --verify "$new" > /dev/null; then
  echo "${scriptWords.takenWorktree("$NAME")}" >&2; exit 5
fi
mkdir -p "$common/worktrees" "$main.worktrees"
mkdir "$target"
mkdir "$admin"
trap 'rm -rf "$view" "$target" "$admin"' EXIT
printf '%s\\n' "$target/.git" > "$admin/gitdir"
printf '../..\\n' > "$admin/commondir"
printf 'ref: %s\\n' "$new" > "$admin/HEAD"
printf 'gitdir: %s\\n' "$admin" > "$target/.git"
cd "$target"
GIT_WORK_TREE=$target GIT_INDEX_FILE=$admin/index git read-tree --reset -u "$head"
if [ -n "$CARRY" ]; then
  cp -p "$admin/index" "$view/carry-index"
  GIT_WORK_TREE=$target GIT_INDEX_FILE=$view/carry-index git read-tree -m -u "$head" "$now"
fi
git update-ref -m "branch: Created from HEAD" "$new" "$head" "$(printf '%040d' 0)"
trap 'rm -rf "$view"' EXIT
suffix=\${start#"$top"}
if [ -d "$target$suffix" ]; then printf '%s\\n' "$target$suffix"; else printf '%s\\n' "$target"; fi
`;

/** Prints a commit of the worktree as it is, and its last commit. */
export const sendScript: string = `${checkouts}
printf '%s %s\\n' "$(keep "$now")" "$head"
`;

/**
 * Brings what a worktree changed (the commit `$COMMIT`, its last commit `$THEIRS`) to the files here, as uncommitted
 * changes. What there is here becomes a checkpoint of `$THREAD` first. Where it does not fit, nothing changes.
 */
export const receiveScript: string = `${checkouts}
case $THEIRS in *[!0-9a-f]*) echo "${scriptWords.badCommit}" >&2; exit 5;; esac
base=$(git merge-base "$head" "$THEIRS") || { echo "${scriptWords.noCommonCommit}" >&2; exit 5; }
git diff --no-ext-diff --no-textconv --binary --full-index --no-renames --ignore-submodules=all --src-prefix=a/ --dst-prefix=b/ "$base" "$COMMIT" > "$view/carried.diff"
if [ -s "$view/carried.diff" ]; then
  before=$(keep "$now")
  git update-ref "refs/quire/checkpoints/$THREAD/undone-$before" "$before"
  cp -p "$view/index" "$view/carry-index"
  GIT_INDEX_FILE=$view/carry-index git apply --cached --whitespace=nowarn "$view/carried.diff" 2> "$view/said" || {
    echo "${scriptWords.doesNotFit("$top")}" >&2
    sed -n 's/^error: //p' "$view/said" | head -n 5 >&2
    exit 5
  }
  git read-tree -m -u "$now" "$(GIT_INDEX_FILE=$view/carry-index git write-tree)"
fi
printf '%s\\n' "$top"
`;

/**
 * Removes the worktree that the folder is in. Its branch stays, and what is not committed becomes a commit under
 * `refs/quire/worktrees`, which is printed; where git would not keep a file, nothing is removed.
 */
export const removeScript: string = `${checkouts}
[ "$gd" != "$common" ] || { echo "${scriptWords.mainCheckout("$top")}" >&2; exit 5; }
case $gd in "$common"/worktrees/*) ;; *) echo "${scriptWords.noWorktree("$top", "$main")}" >&2; exit 5;; esac
[ "$(cat "$gd/gitdir")" = "$top/.git" ] || { echo "${scriptWords.noWorktree("$top", "$main")}" >&2; exit 5; }
[ ! -e "$gd/locked" ] || { echo "${scriptWords.locked("$top")}" >&2; exit 5; }
[ -z "$(busy)" ] || { echo "${scriptWords.busy}" >&2; exit 5; }
: >> "$view/small"
if [ "$(tr -cd '\\000' < "$view/untracked" | wc -c)" != "$(tr -cd '\\000' < "$view/small" | wc -c)" ]; then
  echo "${scriptWords.notKept}" >&2
  tr '\\000' '\\n' < "$view/untracked" | head -n 5 >&2
  exit 5
fi
saved=
if [ -z "$branch" ] || [ "$now" != "$(git rev-parse "$head^{tree}")" ]; then
  saved=$(keep "$now")
  git update-ref "refs/quire/worktrees/\${gd##*/}" "$saved"
fi
cd "$common"
rm -rf -- "$top"
rm -rf -- "$gd"
rmdir "$main.worktrees" 2> /dev/null || true
printf '%s\\n' "$saved"
`;
