import { existsSync } from "node:fs";
import { commandEnvironment, environmentPolicy } from "../exec/environment.ts";
import { findProgram } from "../exec/find-program.ts";
import { findRepository } from "../git/find-repository.ts";
import { safeView } from "../git/safe-view.ts";
import { confinedHelper } from "../helpers/confine.ts";
import { runHelper } from "../helpers/run-helper.ts";

/** How git is asked. */
interface GitOptions {
  readonly timeoutMs: number;
  /** An exit code besides 0 that is no failure. */
  readonly also?: number | undefined;
}

/** A larger answer counts as none: it could not be sent. */
const maxOutputBytes = 48 << 20;
const memoryMiB = 2048;

/** For what git itself does by default. Files beyond the threshold are compared as a whole, not line by line. */
const switchedOff = [
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never"],
  ...["-c", "submodule.recurse=false", "-c", "core.bigFileThreshold=64m", "-c", "core.attributesFile=/dev/null"],
];

/**
 * What git says about a folder; `undefined` when it fails. It sees the repository's data and none of its configuration, takes
 * no locks, asks nobody, is given no keys, and runs without network where it can write nothing.
 */
export async function git(cwd: string, args: readonly string[], options: GitOptions): Promise<string | undefined> {
  // Never one that a command has left in the folder itself.
  const program = findProgram("git", process.env.PATH, [cwd]);
  const repository = existsSync(cwd) ? findRepository(cwd) : undefined;
  if (program === undefined || repository === undefined) return undefined;
  using view = safeView(repository);
  const end = await runHelper({
    argv: confinedHelper([program, ...switchedOff, ...args], {
      reads: [...view.reads, program],
      memoryMiB,
      open: [cwd],
    }),
    cwd,
    env: { ...gitEnvironment(), GIT_DIR: view.gitDir, GIT_WORK_TREE: repository.worktree },
    timeoutMs: options.timeoutMs,
    maxOutputBytes,
  });
  if (end === undefined || end.stopped !== undefined) return undefined;
  return end.code === 0 || (end.code !== null && end.code === options.also) ? end.output.toString() : undefined;
}

/** The server's variables without keys, and without those by which git or its loader could be made to run something. */
function gitEnvironment(): Record<string, string> {
  const env = Object.entries(commandEnvironment(environmentPolicy({}), process.env));
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
