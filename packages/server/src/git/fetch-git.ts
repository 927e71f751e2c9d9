import { helperFolder } from "../run/helpers/own-program.ts";
import { type ProgramRun, runProgram } from "../run/process/run-program.ts";

const timeoutMs = 120_000;

/** Allowed protocols. Others, such as `ext::`, run commands. */
const ways = "file:git:http:https:ssh";

const switchedOff = [
  ...["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "submodule.recurse=false"],
  ...["-c", "safe.bareRepository=explicit", "-c", "init.templateDir=", "-c", "clone.recurseSubmodules=false"],
];

/** Variables that select the repository, settings and programs of git. */
const ofTheCaller =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|CEILING_DIRECTORIES|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|EXEC_PATH|TEMPLATE_DIR|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|TRACE.*)$/;

/**
 * Runs git to fetch. Returns its output; complaints are in the error. Unlike the git that inspects workspaces it keeps
 * the user's configuration, which says how to log in and how to rewrite addresses. No other configuration takes part:
 * it does not run in a workspace, a clone brings none, and hooks and submodules are not used.
 */
export function fetchGit(args: readonly string[], env: ProgramRun["env"]): Promise<string> {
  const kept = Object.entries(env).filter(([name]) => !ofTheCaller.test(name));
  return runProgram({
    name: "git",
    args: [...switchedOff, ...args],
    // In no repository: the one that the server was started in could name programs.
    cwd: helperFolder,
    env: {
      ...Object.fromEntries(kept),
      GIT_ALLOW_PROTOCOL: ways,
      GIT_TERMINAL_PROMPT: "0",
      // Never asks for a password.
      GIT_ASKPASS: "true",
    },
    timeoutMs,
    complaints: "throw",
  });
}
