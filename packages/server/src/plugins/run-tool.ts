import { spawn } from "node:child_process";

/** A program that fetches could not do what it should. */
export class ToolProblem extends Error {
  override readonly name = "ToolProblem";
}

/** The environment of a program. */
export type ToolEnv = Readonly<Record<string, string | undefined>>;

/** What to run. */
export interface ToolRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: ToolEnv;
  readonly cwd?: string;
  /** What to do where the program is not there. */
  readonly remedy: string;
}

/** How long one command may take. */
const timeoutMs = 120_000;
/** What is told of a program's complaints: the end says most. */
const maxComplaint = 2000;

/** Runs a program to its end, without input. Gives what it prints. */
export function runTool({ program, args, env, cwd, remedy }: ToolRun): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const child = spawn(program, args, {
    env: env as NodeJS.ProcessEnv,
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
  });
  let output = "";
  let problems = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk));
  child.stderr.on("data", (chunk: Buffer) => (problems = (problems + chunk).slice(-maxComplaint)));
  child.on("error", (error) => reject(new ToolProblem(`${program} cannot be run: ${error.message}. ${remedy}`)));
  child.on("close", (code) => {
    if (code === 0) resolve(output);
    else reject(new ToolProblem(`${program} ${args[0]} failed: ${problems.trim() || `exit code ${code}`}`));
  });
  return promise;
}
