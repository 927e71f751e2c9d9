import { tokenVariable } from "../status/token-file.ts";
import type { Issue } from "../tracker/issue.ts";
import { runMark } from "../workspace/run-mark.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What the environment of a run's processes is made of. */
export interface ChildEnvironment {
  /** The orchestrator's own. */
  readonly env: Env;
  readonly runId: string;
  readonly issue: Issue;
  /** Path of the `quire` program. */
  readonly quire: string | undefined;
  /** Names of variables that children do not get. */
  readonly secrets: readonly string[];
}

/** The environment of hooks and of the app-server: this process's own without secrets of the tracker and of the status API, and what the run is. */
export function childEnvironment({ env, runId, issue, quire, secrets }: ChildEnvironment): Env {
  const hidden = new Set([...secrets, tokenVariable]);
  const kept = Object.entries(env).filter(([name]) => !hidden.has(name));
  return {
    ...Object.fromEntries(kept),
    [runMark]: runId,
    QUIRE_ISSUE_ID: issue.id,
    QUIRE_ISSUE_IDENTIFIER: issue.identifier,
    ...(quire !== undefined && { QUIRE: quire }),
  };
}

/**
 * The command as the shell gets it. `quire` at its beginning is this very program: a login shell has a PATH of its own,
 * on which there may be none, or another.
 */
export function shellCommand(command: string, quire: string | undefined): string {
  if (quire === undefined || !/^quire(\s|$)/.test(command.trimStart())) return command;
  return `'${quire.replaceAll("'", "'\\''")}'${command.trimStart().slice("quire".length)}`;
}
