import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

/** A process outside of every sandbox. */
export interface Victim extends Disposable {
  readonly process: ChildProcess;
  readonly pid: string;
}

/** Starts a perl script; it must print a line when it is ready. */
export async function victim(script: string, env: Record<string, string> = {}): Promise<Victim> {
  const child = spawn("perl", ["-e", `$| = 1; ${script}`], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return { process: child, pid: String(child.pid), [Symbol.dispose]: () => void child.kill("SIGKILL") };
}

/** Whether it still runs. */
export function isAlive({ process: { exitCode, signalCode } }: Victim): boolean {
  return exitCode === null && signalCode === null;
}
