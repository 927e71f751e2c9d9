import { runProgram } from "../run/process/run-program.ts";

/** The environment of a program that fetches. */
export type ToolEnv = Readonly<Record<string, string | undefined>>;

/** How long one command may take. */
const timeoutMs = 120_000;

/** Runs a program that fetches, and gives what it prints. Its complaints are told to who asked for it. */
export function fetchWith(name: string, args: readonly string[], env: ToolEnv, cwd?: string): Promise<string> {
  return runProgram({ name, args, env, cwd, timeoutMs, complaints: "throw" });
}
