import { scriptWords } from "../words/words.ts";
import { openRepository } from "./open-repository.ts";

/** Untracked files that are larger are left out of snapshots, and as many as this are taken at all. */
const maxUntracked = { kib: 20_480, files: 20_000 };

/**
 * Puts the work tree into the private index of this script: tracked files as they are, and untracked ones that are not
 * ignored. It asks for lists and adds what they name, because `git add` would ask submodules, whose configuration runs.
 */
export const snapshot: string = `${openRepository}
case "\${THREAD:-x}\${COMMIT:-x}" in *[!A-Za-z0-9_-]*) echo "${scriptWords.badId}" >&2; exit 5;; esac
git diff-files -z --name-only --no-renames --ignore-submodules=dirty --diff-filter=D > "$view/gone"
git diff-files -z --name-only --no-renames --ignore-submodules=dirty --diff-filter=d > "$view/changed"
git ls-files -z --others --exclude-standard > "$view/untracked"
# By force, for a link may have taken the place of a folder: git looks at no path beyond it.
git update-index --force-remove -z --stdin < "$view/gone"
git update-index --add --remove -z --stdin < "$view/changed" 2> /dev/null
if [ -s "$view/untracked" ] && [ "$(tr -cd '\\000' < "$view/untracked" | wc -c)" -le ${maxUntracked.files} ]; then
  xargs -0 -n 400 sh -c '
    for each do set -- "$@" "./$each"; shift; done
    find "$@" -prune \\( -type l -o -type f -size -${maxUntracked.kib}k \\) -print0
  ' sh < "$view/untracked" > "$view/small"
  git update-index --add -z --stdin < "$view/small" 2> /dev/null
fi
git update-index -q --refresh > /dev/null || true
now=$(git write-tree)
keep() {
  printf 'Checkpoint\\n' | GIT_AUTHOR_NAME=Quire GIT_AUTHOR_EMAIL=quire@localhost GIT_COMMITTER_NAME=Quire \\
    GIT_COMMITTER_EMAIL=quire@localhost git commit-tree "$1" \${head:+-p "$head"}
}
`;
