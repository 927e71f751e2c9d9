import { spawn } from "node:child_process";
import { resolve as resolvePath } from "node:path";
import { findProgram } from "./find-program.ts";

/** A program of the user's that the server runs did not do what it should. */
export class ProgramProblem extends Error {
  override readonly name = "ProgramProblem";
}

/** What to run, and for how long at most. */
export interface ProgramRun {
  /** A name that PATH knows, or a path. */
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: the server's own. */
  readonly cwd?: string | undefined;
  readonly timeoutMs: number;
  /** Where it complains: into the server's own log, or into the problem. Default `log`. */
  readonly complaints?: "log" | "told" | undefined;
}

/** More of what a program prints is of no use. */
const maxOutputChars = 64 * 1024;
/** What is told of complaints: the end says most. */
const maxComplaint = 2000;

/**
 * Runs a program to its end, without input, and gives what it printed. Rejects with a {@link ProgramProblem} where it fails
 * or takes too long; what it was given is not told, as that may be a secret.
 */
export async function runProgram({ name, args, env, cwd, timeoutMs, complaints = "log" }: ProgramRun): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const path = name.includes("/") ? resolvePath(cwd ?? "", name) : findProgram(name, env.PATH);
  if (path === undefined) throw new ProgramProblem(`\`${name}\` was not found: install it, or add it to PATH`);
  const child = spawn(path, args, {
    env: env as NodeJS.ProcessEnv,
    cwd,
    stdio: ["ignore", "pipe", complaints === "log" ? "inherit" : "pipe"],
    // A group of its own, so that what it has started can be ended with it.
    detached: true,
  });
  const timer = setTimeout(() => {
    endGroup(child.pid);
    reject(new ProgramProblem(`\`${name}\` took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  let output = "";
  let complaint = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    if (output.length < maxOutputChars) output += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-maxComplaint);
  });
  child.once("error", (error) => reject(new ProgramProblem(`\`${name}\` cannot be run: ${error.message}`)));
  child.once("close", (code, signal) => {
    if (code === 0) resolve(output);
    else reject(new ProgramProblem(`\`${name}\` failed: ${complaint.trim() || (signal ?? `exit code ${code}`)}`));
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
