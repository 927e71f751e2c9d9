import { openRepository } from "../scripts/open-repository.ts";
import { snapshot } from "../scripts/snapshot.ts";

/** Facts in lines, then the diff of the work tree, new files included, against `$SCOPE`. */
export const stateScript: string = `${snapshot}
r=$(remote)
up=$(git rev-parse -q --verify "refs/remotes/$r/\${branch#refs/heads/}" || true)
printf 'top=%s\\nbranch=%s\\nhead=%s\\nbusy=%s\\nremote=%s\\nurl=%s\\n' "$top" "\${branch#refs/heads/}" "$head" "$(busy)" "$r" "$(address)"
if [ -n "$up" ] && [ -n "$head" ]; then
  printf 'counts=%s\\n' "$(git rev-list --left-right --count "$head...$up" | tr '\\t' ' ')"
fi
base=$head
if [ "$SCOPE" = turn ]; then
  base=$(git rev-parse -q --verify "refs/quire/checkpoints/$THREAD/$TURN" || true)
  printf 'turn=%s\\n' "$base"
  [ -n "$base" ] || base=$now
fi
if [ -n "$head" ]; then
  for name in $(git symbolic-ref -q "refs/remotes/$r/HEAD" || true) "refs/remotes/$r/main" "refs/remotes/$r/master" refs/heads/main refs/heads/master; do
    [ "$name" = "$branch" ] && continue
    if git rev-parse -q --verify "$name" > /dev/null; then
      if [ "$SCOPE" = branch ]; then base=$(git merge-base "$head" "$name" || echo "$head"); fi
      printf 'base=%s\\n' "$name"
      break
    fi
  done
fi
[ -n "$base" ] || base=$(git hash-object -t tree /dev/null)
printf '\\n'
git diff --no-ext-diff --no-textconv --no-color --src-prefix=a/ --dst-prefix=b/ --submodule=short --ignore-submodules=dirty -M \\
  "$base" "$now"
`;

/**
 * Commits with `$MESSAGE`. Of the first `$PARTS` arguments, three each name a file, the hunks of its diff that are
 * committed (`,1,3,`) and their number; the others are files that are committed as they are. What else was staged stays
 * staged.
 */
export const commitScript: string = `${snapshot}
[ -z "$(busy)" ] || { echo "A merge, rebase or cherry-pick is in progress. Finish it in the terminal." >&2; exit 5; }
[ -n "$branch" ] || { echo "No branch is checked out. Create one first." >&2; exit 5; }
export GIT_INDEX_FILE="$view/commit-index"
if [ -n "$head" ]; then git read-tree "$head"; else git read-tree --empty; fi
parts=0
: > "$view/parts"
while [ "$parts" -lt "$PARTS" ]; do
  path=$1 picks=$2 count=$3
  shift 3
  parts=$((parts + 1))
  git diff --no-ext-diff --no-textconv --no-color --no-renames --ignore-submodules=all --src-prefix=a/ --dst-prefix=b/ \\
    "\${head:-$(git hash-object -t tree /dev/null)}" "$now" -- "$path" > "$view/whole.diff"
  if [ "$(grep -c '^@@ ' "$view/whole.diff")" != "$count" ]; then
    echo "$path has changed meanwhile. Choose again." >&2; exit 5
  fi
  awk -v picks="$picks" '/^@@ / { hunk++ } hunk == 0 || index(picks, "," hunk ",")' "$view/whole.diff" > "$view/part.diff"
  git apply --cached --whitespace=nowarn "$view/part.diff"
  printf '%s\\0' "$path" >> "$view/parts"
done
if [ $# -gt 0 ]; then printf '%s\\0' "$@" | git update-index --add --remove -z --stdin; fi
tree=$(git write-tree)
if [ -n "$head" ] && [ "$tree" = "$(git rev-parse "$head^{tree}")" ]; then
  echo "Nothing to commit in these files." >&2; exit 5
fi
new=$(printf '%s\\n' "$MESSAGE" | git commit-tree "$tree" \${head:+-p "$head"})
git update-ref -m "commit: $(printf '%s' "$MESSAGE" | head -n 1)" "$branch" "$new" "\${head:-$(printf '%040d' 0)}"
git diff-tree -r -z --root --no-commit-id --no-renames --name-only "$new" > "$view/names"
if [ -e "$gd/index" ] || [ -z "$head" ]; then
  GIT_INDEX_FILE="$gd/index" git update-index --add --remove -z --stdin < "$view/names"
  if [ -s "$view/parts" ]; then
    # Of these the rest is not staged.
    xargs -0 git ls-tree -z --full-tree "$new" -- < "$view/parts" | GIT_INDEX_FILE="$gd/index" git update-index -z --index-info
  fi
fi
printf '%s\\n' "$new"
`;

/** Makes the branch `$NAME` where the work tree stands, and checks it out: no file changes by that. */
export const branchScript: string = `${openRepository}
git check-ref-format "refs/heads/$NAME" || { echo "$NAME is not a branch name." >&2; exit 5; }
case $NAME in -*) echo "$NAME is not a branch name." >&2; exit 5;; esac
if git rev-parse -q --verify "refs/heads/$NAME" > /dev/null; then echo "The branch $NAME exists already." >&2; exit 5; fi
[ -z "$(busy)" ] || { echo "A merge, rebase or cherry-pick is in progress. Finish it in the terminal." >&2; exit 5; }
if [ -n "$head" ]; then git update-ref -m "branch: Created from HEAD" "refs/heads/$NAME" "$head" "$(printf '%040d' 0)"; fi
set -C
printf 'ref: refs/heads/%s\\n' "$NAME" > "$gd/HEAD.lock"
mv "$gd/HEAD.lock" "$gd/HEAD"
`;

/** Pushes the branch to its remote at `$URL`, never by force, and lets it follow what it was pushed to. */
export const pushScript: string = `${openRepository}
[ -n "$branch" ] && [ -n "$head" ] || { echo "There is no branch with a commit to push." >&2; exit 5; }
r=$(remote)
url=$(address)
[ -n "$url" ] || { echo "There is no remote. Add one in the terminal: git remote add origin URL" >&2; exit 5; }
[ "$url" = "$URL" ] || { echo "The address of $r has changed to $url. Check it and push again." >&2; exit 5; }
case $url in
  -*|*::*) echo "$url is not an address that can be pushed to from here. Push in the terminal." >&2; exit 5;;
  https://*|http://*|ssh://*|git://*|file://*|/*|*@*:*) ;;
  *) echo "$url is not an address that can be pushed to from here. Push in the terminal." >&2; exit 5;;
esac
# A repository on this machine is written to by a git that is started here, and would run its hooks.
case $url in
  /*|file://*) set -- "--receive-pack=git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c core.alternateRefsCommand=: -c receive.denyCurrentBranch=refuse -c receive.autogc=false receive-pack";;
  *) set --;;
esac
git push --no-verify --recurse-submodules=no "$@" -- "$url" "$branch:$branch" 2>&1
git update-ref "refs/remotes/$r/\${branch#refs/heads/}" "$head"
name=\${branch#refs/heads/}
if [ -z "$(setting "branch.$name.merge")" ]; then
  git config -f "$common/config" "branch.$name.remote" "$r"
  git config -f "$common/config" "branch.$name.merge" "$branch"
fi
`;
