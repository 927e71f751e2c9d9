import { openRepository } from "../scripts/open-repository.ts";

/** The exit code where the forge's program is not installed. */
export const noForgeTool = 6;

/**
 * Takes tokens out of the environment that are not for the forge's host. Their programs would send them to whatever host
 * the repository names.
 */
const ownTokens = `host=\${REPOSITORY%%/*}
home_of() { home=\${1#*://}; printf '%s' "\${home%%/*}"; }
[ "$host" = "$(home_of "\${GH_HOST:-}")" ] || unset GH_ENTERPRISE_TOKEN GITHUB_ENTERPRISE_TOKEN
[ "$host" = "$(home_of "\${GITLAB_HOST:-\${GITLAB_URI:-\${GL_HOST:-gitlab.com}}}")" ] || unset GITLAB_TOKEN GITLAB_ACCESS_TOKEN OAUTH_TOKEN
`;

/**
 * Finds the program of the forge and leaves the folder: these programs ask git, which would read the repository's
 * configuration. Everything that they need is said to them.
 */
const forge = `${openRepository}
for entry in "\${HOME:-/}/.local/bin" /opt/homebrew/bin /usr/local/bin; do
  case $entry/ in "$top"/*) ;; *) PATH=$PATH:$entry;; esac
done
tool=$(command -v "$TOOL") || exit ${noForgeTool}
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GH_PROMPT_DISABLED=1 GH_NO_UPDATE_NOTIFIER=1 NO_PROMPT=1 NO_COLOR=1
for word in "$REPOSITORY" "$BRANCH"; do
  case $word in -*) echo "$word is not the name of a repository or branch." >&2; exit 5;; esac
done
${ownTokens}cd /
`;

/** Prints the pull request of `$BRANCH` as JSON, or nothing where there is none. */
export const pullScript: string = `${forge}
if [ "$TOOL" = gh ]; then
  gh pr view "$BRANCH" --repo "$REPOSITORY" --json number,url,title,state,isDraft,statusCheckRollup 2> "$view/said" || {
    grep -qi 'no pull requests' "$view/said" || { cat "$view/said" >&2; exit 5; }
  }
else
  glab mr view "$BRANCH" --repo "$REPOSITORY" --output json 2> "$view/said" || {
    grep -qiE 'no (open )?merge request|404' "$view/said" || { cat "$view/said" >&2; exit 5; }
  }
fi
`;

/** Makes a pull request of `$BRANCH`, which was pushed, onto `$BASE`. */
export const createPullScript: string = `${forge}
if [ "$TOOL" = gh ]; then
  gh pr create --repo "$REPOSITORY" --head "$BRANCH" \${BASE:+--base "$BASE"} --title "$TITLE" --body "$BODY" \${DRAFT:+--draft}
else
  glab mr create --repo "$REPOSITORY" --source-branch "$BRANCH" \${BASE:+--target-branch "$BASE"} --title "$TITLE" \\
    --description "$BODY" \${DRAFT:+--draft} --yes
fi
`;
