import { commandEnvironment, environmentPolicy } from "../exec/environment.ts";
import { findProgram } from "../exec/find-program.ts";

/** How git is asked. */
interface GitOptions {
  readonly timeoutMs: number;
  /** An exit code besides 0 that is no failure. */
  readonly also?: number | undefined;
}

/** What a repository's configuration could have started by a mere look at it. */
const harmless = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

/** What git says about a folder; `undefined` when it fails. It takes no locks, asks nobody, and is given no keys. */
export async function git(cwd: string, args: readonly string[], options: GitOptions): Promise<string | undefined> {
  // Never one that a command has left in the folder itself.
  const program = findProgram("git", process.env.PATH, [cwd]);
  if (program === undefined) return undefined;
  try {
    const child = Bun.spawn([program, ...harmless, ...args], {
      cwd,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      timeout: options.timeoutMs,
      env: {
        ...commandEnvironment(environmentPolicy({}), process.env),
        GIT_OPTIONAL_LOCKS: "0",
        GIT_TERMINAL_PROMPT: "0",
      },
    });
    const [output, code] = await Promise.all([new Response(child.stdout).text(), child.exited]);
    return code === 0 || code === options.also ? output : undefined;
  } catch {
    // The folder is not there.
    return undefined;
  }
}
