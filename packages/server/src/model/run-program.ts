import { spawn } from "node:child_process";
import { resolve as resolvePath } from "node:path";
import { findProgram } from "../exec/find-program.ts";

/** More of what a program prints is of no use. */
const maxOutputChars = 64 * 1024;

/** What to run, and for how long at most. */
export interface ProgramRun {
  /** A name that PATH knows, or a path. */
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Default: the server's own. */
  readonly cwd?: string | undefined;
  readonly timeoutMs: number;
}

/** Runs a program of the user's to its end and gives what it printed. Rejects where it fails or takes too long. */
export function runProgram({ name, args, env, cwd, timeoutMs }: ProgramRun): Promise<string> {
  const path = name.includes("/") ? resolvePath(cwd ?? "", name) : findProgram(name, env.PATH);
  if (path === undefined) return Promise.reject(new Error(`\`${name}\` was not found: install it, or add it to PATH`));
  return new Promise((resolve, reject) => {
    // What it says to the user goes where the server's own log goes. A group of its own: what it starts ends with it.
    const child = spawn(path, args, { env: { ...env }, cwd, stdio: ["ignore", "pipe", "inherit"], detached: true });
    const timer = setTimeout(() => {
      endGroup(child.pid);
      reject(new Error(`\`${name}\` took longer than ${timeoutMs} ms`));
    }, timeoutMs);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (output.length < maxOutputChars) output += text;
    });
    child.once("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else reject(new Error(`\`${[name, ...args].join(" ")}\` exited with ${code ?? signal}`));
    });
  });
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
