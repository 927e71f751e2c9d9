import { runProgram } from "../run/process/run-program.ts";

/** The environment of a program that fetches. */
export type ToolEnv = Readonly<Record<string, string | undefined>>;

const timeoutMs = 120_000;

/** Runs a program that fetches, and returns its output. Its complaints are in the error. */
export function fetchWith(name: string, args: readonly string[], env: ToolEnv, cwd?: string): Promise<string> {
  return runProgram({ name, args, env, cwd, timeoutMs, complaints: "throw" });
}
