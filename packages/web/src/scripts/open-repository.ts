import { scriptWords } from "../words/words.ts";

/** Leaves no program below `$top` to be run, by whatever name: up to here the shell has done all by itself. */
export const ownPrograms: string = `path=
set -f
IFS=:
for entry in $PATH; do
  case $entry in /*) ;; *) continue;; esac
  real=$(cd -P -- "$entry" 2> /dev/null && pwd -P) || continue
  case $real/ in "$top"/*) continue;; esac
  path=$path:$entry
done
unset IFS
set +f
PATH=\${path#:}
git=$(command -v git) || { echo "${scriptWords.noGit}" >&2; exit 3; }
`;

/**
 * Opens a repository so that nothing of its configuration runs: git gets a folder of links to the repository's data with
 * a configuration of our own, of the user's, and of the keys that only say how files are read. Programs that a
 * repository names (filters, monitors, hooks, helpers, commands for ssh) are unknown there.
 *
 * None of the programs lies in the work tree, and no command of a model can write the configuration. Afterwards `$top` is the work tree, in which the script is, `$gd` its git folder and `$common` that of all work trees.
 */
export const openRepository: string = `set -eu
top=$(pwd -P)
# A folder that is only called so is none, as git has it.
is_repository() { [ -f "$1/.git" ] || { [ -e "$1/.git/HEAD" ] && [ -d "$1/.git/objects" ]; }; }
while ! is_repository "$top"; do
  [ "$top" = / ] && { echo "${scriptWords.noRepository}" >&2; exit 4; }
  top=\${top%/*}
  [ -n "$top" ] || top=/
done
${ownPrograms}if [ -d "$top/.git" ]; then gd=$top/.git; else
  gd=$(sed -n 's/^gitdir: //p' "$top/.git")
  case $gd in /*) ;; *) gd=$top/$gd;; esac
fi
[ -e "$gd/HEAD" ] || { echo "${scriptWords.noRepository}" >&2; exit 4; }
common=$gd
if [ -f "$gd/commondir" ]; then
  common=$(cat "$gd/commondir")
  case $common in /*) ;; *) common=$gd/$common;; esac
fi
# Not in a folder for temporary files, where every command of a model can write.
place=$gd
for folder in "\${QUIRE_HOME:-}" "\${CODEX_HOME:-}" "\${HOME:-}/.quire" "\${HOME:-}/.codex"; do
  if [ -n "$folder" ] && [ -d "$folder" ] && [ -w "$folder" ]; then place=$folder; break; fi
done
# What a run that was killed has left.
find "$place" -maxdepth 1 -type d -name 'page-git.*' -mmin +60 -exec rm -rf {} + 2> /dev/null || true
view=$(mktemp -d "$place/page-git.XXXXXX")
trap 'rm -rf "$view"' EXIT
trap 'exit 1' HUP INT TERM
for name in objects refs packed-refs reftable shallow info logs; do
  if [ -e "$common/$name" ]; then ln -s "$common/$name" "$view/$name"; fi
done
for shared in "$gd"/sharedindex.*; do
  if [ -e "$shared" ]; then ln -s "$shared" "$view/"; fi
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
  printf '[protocol "ext"]\\n\\tallow = never\\n[submodule]\\n\\trecurse = false\\n[diff]\\n\\texternal =\\n'
} > "$view/config"
# With its time: git takes a file for unchanged that is older than the index.
if [ -e "$gd/index" ]; then cp -p "$gd/index" "$view/index"; fi
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
address() {
  name=$(remote)
  url=$(setting "remote.$name.pushurl")
  [ -n "$url" ] || url=$(setting "remote.$name.url")
  case $url in *[[:cntrl:]]*) ;; *) echo "$url";; esac
}
busy() {
  for name in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD rebase-merge rebase-apply; do
    if [ -e "$gd/$name" ]; then echo "$name"; return; fi
  done
}
`;
