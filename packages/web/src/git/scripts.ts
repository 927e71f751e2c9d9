/**
 * Opens a repository so that nothing of its configuration runs: git gets a folder of links to the repository's data with
 * a configuration of our own, of the user's, and of the keys that only say how files are read. Programs that a
 * repository names (filters, monitors, hooks, helpers, commands for ssh) are unknown there.
 *
 * Afterwards `$top` is the work tree, in which the script is, `$gd` its git folder and `$common` that of all work trees.
 */
const open = `set -eu
git=$(command -v git) || { echo "git is not installed on this machine." >&2; exit 3; }
top=$(pwd -P)
# A folder that is only called so is none, as git has it.
is_repository() { [ -f "$1/.git" ] || { [ -e "$1/.git/HEAD" ] && [ -d "$1/.git/objects" ]; }; }
while ! is_repository "$top"; do
  [ "$top" = / ] && { echo "no repository" >&2; exit 4; }
  top=$(dirname "$top")
done
case $git in "$top"/*|[!/]*) echo "git is a file of this folder: it is not run." >&2; exit 3;; esac
if [ -d "$top/.git" ]; then gd=$top/.git; else
  gd=$(sed -n 's/^gitdir: //p' "$top/.git")
  case $gd in /*) ;; *) gd=$top/$gd;; esac
fi
[ -e "$gd/HEAD" ] || { echo "no repository" >&2; exit 4; }
common=$gd
if [ -f "$gd/commondir" ]; then
  common=$(cat "$gd/commondir")
  case $common in /*) ;; *) common=$gd/$common;; esac
fi
view=$(mktemp -d)
trap 'rm -rf "$view"' EXIT
for name in objects refs packed-refs reftable shallow info logs; do
  if [ -e "$common/$name" ]; then ln -s "$common/$name" "$view/$name"; fi
done
cat "$gd/HEAD" > "$view/HEAD"
for name in GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_EXTERNAL_DIFF GIT_SSH GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT; do unset $name; done
setting() { git config -f "$common/config" --no-includes --get "$1" 2>/dev/null || true; }
{
  printf '[core]\\n\\tbare = false\\n\\thooksPath = /dev/null\\n\\tfsmonitor = false\\n\\tquotePath = false\\n'
  for key in filemode symlinks ignorecase precomposeunicode autocrlf eol; do
    value=$(setting "core.$key")
    case $value in *[!a-z0-9]*|'') ;; *) printf '\\t%s = %s\\n' "$key" "$value";; esac
  done
  printf '\\trepositoryformatversion = %s\\n' "$(case $(setting core.repositoryformatversion) in 1) echo 1;; *) echo 0;; esac)"
  printf '[extensions]\\n'
  for key in objectformat refstorage; do
    value=$(setting "extensions.$key")
    case $value in *[!a-z0-9]*|'') ;; *) printf '\\t%s = %s\\n' "$key" "$value";; esac
  done
  printf '[protocol "ext"]\\n\\tallow = never\\n[diff]\\n\\texternal =\\n'
} > "$view/config"
if [ -e "$gd/index" ]; then cp "$gd/index" "$view/index"; fi
export GIT_DIR="$view" GIT_WORK_TREE="$top" GIT_LITERAL_PATHSPECS=1 GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0 GIT_EDITOR=false GIT_PAGER=cat
cd "$top"
head=$(git rev-parse -q --verify HEAD || true)
branch=$(git symbolic-ref -q HEAD || true)
remote() {
  name=$(setting "branch.\${branch#refs/heads/}.remote")
  [ -n "$name" ] || name=origin
  case $name in *[!A-Za-z0-9._-]*) name=origin;; esac
  echo "$name"
}
busy() {
  for name in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply; do
    if [ -e "$gd/$name" ]; then echo "$name"; return; fi
  done
}
`;

/** Facts in lines, then the diff of the work tree, new files included, against `$SCOPE`. */
export const stateScript: string = `${open}
r=$(remote)
up=$(git rev-parse -q --verify "refs/remotes/$r/\${branch#refs/heads/}" || true)
printf 'top=%s\\nbranch=%s\\nhead=%s\\nbusy=%s\\nremote=%s\\nurl=%s\\n' "$top" "\${branch#refs/heads/}" "$head" "$(busy)" "$r" "$(setting "remote.$r.url")"
if [ -n "$up" ] && [ -n "$head" ]; then
  printf 'counts=%s\\n' "$(git rev-list --left-right --count "$head...$up" | tr '\\t' ' ')"
fi
base=$head
if [ "$SCOPE" = branch ] && [ -n "$head" ]; then
  for name in $(git symbolic-ref -q "refs/remotes/$r/HEAD" || true) "refs/remotes/$r/main" "refs/remotes/$r/master" refs/heads/main refs/heads/master; do
    [ "$name" = "$branch" ] && continue
    if git rev-parse -q --verify "$name" > /dev/null; then
      base=$(git merge-base "$head" "$name" || echo "$head")
      printf 'base=%s\\n' "$name"
      break
    fi
  done
fi
[ -n "$base" ] || base=$(git hash-object -t tree /dev/null)
git add -A -N . 2> /dev/null || true
printf '\\n'
git diff --no-ext-diff --no-textconv --no-color -M "$base"
`;

/** Commits the files that are its arguments, as they are, with `$MESSAGE`. What else was staged stays staged. */
export const commitScript: string = `${open}
[ -z "$(busy)" ] || { echo "A merge, rebase or cherry-pick is in progress. Finish it in the terminal." >&2; exit 5; }
[ -n "$branch" ] || { echo "No branch is checked out. Create one first." >&2; exit 5; }
export GIT_INDEX_FILE="$view/commit-index"
if [ -n "$head" ]; then git read-tree "$head"; else git read-tree --empty; fi
git add -A -- "$@"
tree=$(git write-tree)
if [ -n "$head" ] && [ "$tree" = "$(git rev-parse "$head^{tree}")" ]; then
  echo "Nothing to commit in these files." >&2; exit 5
fi
new=$(printf '%s\\n' "$MESSAGE" | git commit-tree "$tree" \${head:+-p "$head"})
git update-ref -m "commit: $(printf '%s' "$MESSAGE" | head -n 1)" "$branch" "$new" "\${head:-$(printf '%040d' 0)}"
git diff-tree -r -z --root --no-commit-id --no-renames --name-only "$new" > "$view/names"
if [ -e "$gd/index" ] || [ -z "$head" ]; then
  GIT_INDEX_FILE="$gd/index" git update-index --add --remove -z --stdin < "$view/names"
fi
printf '%s\\n' "$new"
`;

/** Makes the branch `$NAME` where the work tree stands, and checks it out: no file changes by that. */
export const branchScript: string = `${open}
git check-ref-format "refs/heads/$NAME" || { echo "$NAME is not a branch name." >&2; exit 5; }
case $NAME in -*) echo "$NAME is not a branch name." >&2; exit 5;; esac
if git rev-parse -q --verify "refs/heads/$NAME" > /dev/null; then echo "The branch $NAME exists already." >&2; exit 5; fi
[ -z "$(busy)" ] || { echo "A merge, rebase or cherry-pick is in progress. Finish it in the terminal." >&2; exit 5; }
if [ -n "$head" ]; then git update-ref -m "branch: Created from HEAD" "refs/heads/$NAME" "$head" "$(printf '%040d' 0)"; fi
set -C
printf 'ref: refs/heads/%s\\n' "$NAME" > "$gd/HEAD.lock"
mv "$gd/HEAD.lock" "$gd/HEAD"
`;

/** Pushes the branch to its remote, never by force, and lets it follow what it was pushed to. */
export const pushScript: string = `${open}
[ -n "$branch" ] && [ -n "$head" ] || { echo "There is no branch with a commit to push." >&2; exit 5; }
r=$(remote)
url=$(setting "remote.$r.pushurl")
[ -n "$url" ] || url=$(setting "remote.$r.url")
[ -n "$url" ] || { echo "There is no remote. Add one in the terminal: git remote add origin URL" >&2; exit 5; }
case $url in
  -*|*::*) echo "$url is not an address that can be pushed to from here. Push in the terminal." >&2; exit 5;;
  https://*|http://*|ssh://*|git://*|file://*|/*|*@*:*) ;;
  *) echo "$url is not an address that can be pushed to from here. Push in the terminal." >&2; exit 5;;
esac
git push --no-verify -- "$url" "$branch:$branch" 2>&1
git update-ref "refs/remotes/$r/\${branch#refs/heads/}" "$head"
name=\${branch#refs/heads/}
if [ -z "$(setting "branch.$name.merge")" ]; then
  git config -f "$common/config" "branch.$name.remote" "$r"
  git config -f "$common/config" "branch.$name.merge" "$branch"
fi
`;
