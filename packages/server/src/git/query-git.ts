import { existsSync } from "node:fs";
import { confinedHelper } from "../run/helpers/confine.ts";
import { runHelper } from "../run/helpers/run-helper.ts";
import { commandVariables, environmentPolicy } from "../run/process/command-variables.ts";
import { findProgram } from "../run/process/find-program.ts";
import { findRepository } from "./find-repository.ts";
import { safeView } from "./safe-view.ts";

/** What git is asked, and where. */
interface GitQuestion {
  readonly cwd: string;
  /** The server's, for what is needed meanwhile. */
  readonly home: string;
  /** For the shell. In it `$git` is git. */
  readonly script: string;
  readonly timeoutMs: number;
}

/** A larger answer counts as none: it could not be sent. */
const maxOutputBytes = 48 << 20;
const memoryMiB = 2048;

/**
 * What a script prints that asks git about a folder; `undefined` where it fails or the folder is in no repository. Git sees the
 * repository's data and none of its configuration, takes no locks, asks nobody, is given no keys, and runs without network where
 * it can write nothing. To begin such a run takes longer than several calls of git, so a script makes all of them.
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

/** The server's variables without keys, and without those by which git or its loader could be made to run something. */
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
