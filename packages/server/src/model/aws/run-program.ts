import { spawn } from "node:child_process";
import { findProgram } from "../../exec/find-program.ts";

/** More of what a program prints is of no use. */
const maxOutputChars = 64 * 1024;

/** What to run, and for how long at most. */
export interface ProgramRun {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** Runs a program of the user's to its end and gives what it printed. Rejects where it fails or takes too long. */
export function runProgram({ name, args, env, timeoutMs }: ProgramRun): Promise<string> {
  const path = findProgram(name, env.PATH);
  if (path === undefined) return Promise.reject(new Error(`\`${name}\` was not found: install it, or add it to PATH`));
  return new Promise((resolve, reject) => {
    // What it says to the user goes where the server's own log goes.
    const child = spawn(path, args, { env: { ...env }, stdio: ["ignore", "pipe", "inherit"], timeout: timeoutMs });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (output.length < maxOutputChars) output += text;
    });
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve(output);
      else if (signal) reject(new Error(`\`${name}\` took longer than ${timeoutMs} ms`));
      else reject(new Error(`\`${name} ${args.join(" ")}\` exited with ${code}`));
    });
  });
}
