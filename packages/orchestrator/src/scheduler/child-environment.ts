import { visibleText } from "@quire/protocol";
import { cleanPath } from "../lib/clean-path.ts";
import { partsOf, secretVariables } from "../lib/secrets.ts";
import { tokenVariable } from "../lib/token-file.ts";
import type { Issue } from "../tracker/issue.ts";
import type { Tracker } from "../tracker/tracker.ts";
import { runMark } from "../workspace/run-mark.ts";
import { workspaceKey } from "../workspace/workspace-key.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The sources of a run's environment variables. */
export interface ChildEnvironment {
  /** The orchestrator's own. */
  readonly env: Env;
  readonly runId: string;
  readonly issue: Issue;
  /** Path of the `quire` program. */
  readonly quire: string | undefined;
  /** The tracker whose secrets are kept from child processes. */
  readonly tracker: Pick<Tracker, "secretEnvNames" | "secrets">;
  /** Of the workspaces. */
  readonly root: string;
}

/**
 * The environment of hooks and of the app-server: this process's own without secrets of trackers and of the status API,
 * under whatever name, and what the run is. No program is found in a workspace, where an agent may have put it. What an
 * issue is called cannot end a line or hold what a terminal obeys: hooks print it.
 */
export function childEnvironment({ env, runId, issue, quire, tracker, root }: ChildEnvironment): Env {
  const hidden = new Set([...tracker.secretEnvNames, ...secretVariables]);
  const values = new Set([...tracker.secrets, ...partsOf(env[tokenVariable] ?? "")]);
  const kept = Object.entries(env).filter(([name, value]) => !hidden.has(name) && !values.has(value?.trim() ?? ""));
  return {
    ...Object.fromEntries(kept),
    ...(env.PATH !== undefined && { PATH: cleanPath(env.PATH, root) }),
    [runMark]: runId,
    QUIRE_ISSUE_ID: plain(issue.id),
    QUIRE_ISSUE_IDENTIFIER: plain(issue.identifier),
    // What an issue is called in paths and branches: letters, digits, `.`, `_` and `-`, which does not come first.
    QUIRE_ISSUE_KEY: workspaceKey(issue.identifier),
    QUIRE_ISSUE_TITLE: plain(issue.title),
    QUIRE_ISSUE_URL: plain(issue.url ?? ""),
    QUIRE_BRANCH: `quire/${workspaceKey(issue.identifier)}`,
    ...(quire !== undefined && { QUIRE: quire }),
  };
}

const plain = (text: string) => visibleText(text, { oneLine: true });

/**
 * The command as the shell gets it. `quire` at its beginning is this very program: a login shell has a PATH of its own,
 * on which there may be none, or another.
 */
export function shellCommand(command: string, quire: string | undefined): string {
  if (quire === undefined || !/^quire(\s|$)/.test(command.trimStart())) return command;
  return `'${quire.replaceAll("'", "'\\''")}'${command.trimStart().slice("quire".length)}`;
}
