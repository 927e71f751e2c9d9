import { scriptWords } from "../words/words.ts";
import { ownPrograms } from "./open-repository.ts";

/**
 * Clones `$URL` into the current folder and prints the path. Nothing of the repository runs: no hooks, filters or
 * submodules of its own; the user's own credentials are used. A clone that fails leaves nothing behind.
 */
export const cloneScript: string = `set -eu
top=$(pwd -P)
${ownPrograms}for name in GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_SSH GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_CONFIG_PARAMETERS GIT_CONFIG_COUNT; do unset $name; done
case $URL in
  -*|*::*) echo "${scriptWords.badAddress("$URL")}" >&2; exit 5;;
  https://*|http://*|ssh://*|git://*|file://*|/*|*@*:*) ;;
  *) echo "${scriptWords.unknownAddress("$URL")}" >&2; exit 5;;
esac
name=$(printf '%s' "$URL" | sed -e 's|[/]*$||' -e 's|\\.git$||' -e 's|.*[/:]||')
case $name in ''|.*|-*) echo "${scriptWords.noName("$URL")}" >&2; exit 5;; esac
if [ -e "$name" ]; then echo "${scriptWords.exists("$top/$name")}" >&2; exit 5; fi
GIT_TERMINAL_PROMPT=0 GIT_EDITOR=false git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c protocol.ext.allow=never \\
  clone --quiet --template= --no-recurse-submodules -- "$URL" "$name" >&2
printf '%s/%s\\n' "$top" "$name"
`;
