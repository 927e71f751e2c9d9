import { existsSync } from "node:fs";
import { confinedHelper } from "../run/helpers/confine.ts";
import { runHelper } from "../run/helpers/run-helper.ts";
import { commandVariables, environmentPolicy } from "../run/process/command-variables.ts";
import { findProgram } from "../run/process/find-program.ts";
import { findRepository } from "./find-repository.ts";
import { safeView } from "./safe-view.ts";

interface GitQuestion {
  readonly cwd: string;
  /** The server's home, for temporary files. */
  readonly home: string;
  /** A shell script in which `$git` is git. */
  readonly script: string;
  readonly timeoutMs: number;
}

/** A larger output counts as a failure: it could not be sent. */
const maxOutputBytes = 48 << 20;
const memoryMiB = 2048;

/**
 * The output of a script that asks git about a folder; `undefined` when it fails or there is no repository. Git sees
 * the repository's data and none of its configuration, takes no locks, prompts for nothing, has no keys, and runs
 * without network or write access where it can be confined. Starting it takes longer than several git calls, so one
 * script makes them all.
 */
export async function queryGit({ cwd, home, script, timeoutMs }: GitQuestion): Promise<string | undefined> {
  // Never one that a command has left in the folder itself.
  const program = findProgram("git", process.env.PATH, [cwd]);
  const repository = existsSync(cwd) ? findRepository(cwd) : undefined;
  if (program === undefined || repository === undefined) return undefined;
  using view = safeView(repository, home);
  const end = await runHelper({
    argv: confinedHelper(["/bin/sh", "-c", script], { reads: [...view.reads, program], memoryMiB, open: [cwd] }),
    cwd,
    env: { ...gitEnvironment(), git: program, GIT_DIR: view.gitDir, GIT_WORK_TREE: repository.worktree },
    timeoutMs,
    maxOutputBytes,
  });
  return end?.code === 0 && end.stopped === undefined ? end.output.toString() : undefined;
}

/** The server's variables without keys and without those that make git or its loader run something. */
function gitEnvironment(): Record<string, string> {
  const env = Object.entries(commandVariables(environmentPolicy({}), process.env));
  return {
    ...Object.fromEntries(env.filter(([name]) => !/^(GIT_|LD_|DYLD_|BASH_|ENV$|PAGER$|EDITOR$|SSH_)/.test(name))),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_LAZY_FETCH: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: "",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
}
