import { helperFolder } from "../run/helpers/own-program.ts";
import { type ProgramRun, runProgram } from "../run/process/run-program.ts";

/** How long one command may take. */
const timeoutMs = 120_000;

/** Ways to a repository. Others, such as `ext::`, are commands to run. */
const ways = "file:git:http:https:ssh";

const switchedOff = [
  ...["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "submodule.recurse=false"],
  ...["-c", "safe.bareRepository=explicit", "-c", "init.templateDir=", "-c", "clone.recurseSubmodules=false"],
];

/** Variables that say which repository is meant, and which settings and programs git takes besides its own. */
const ofTheCaller =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|PREFIX|CEILING_DIRECTORIES|GRAFT_FILE|SHALLOW_FILE|REPLACE_REF_BASE|EXEC_PATH|TEMPLATE_DIR|EXTERNAL_DIFF|PAGER|EDITOR|SEQUENCE_EDITOR|TRACE.*)$/;

/**
 * Runs git that fetches, and gives what it prints; what it complains about is in the problem. Unlike the git that looks at
 * workspaces it keeps the configuration of the person who runs the server: that says how to log in (credential helpers, keys of
 * SSH, proxies) and how addresses are written out, and repositories for which it is needed could not be fetched without. No
 * configuration that anybody else wrote takes part: it does not run in a workspace, a clone brings none along, and
 * neither hooks nor submodules of what is fetched are used.
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
      // Asks nobody for a password.
      GIT_ASKPASS: "true",
    },
    timeoutMs,
    complaints: "throw",
  });
}
