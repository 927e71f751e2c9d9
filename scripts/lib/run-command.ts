import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import { root } from "./workspace.ts";

/** Result of a command. */
export interface CommandResult {
  /** Its exit code; 128 and more when a signal ended it, as in a shell. */
  readonly code: number;
  /** stdout and stderr as they came. */
  readonly output: string;
  readonly seconds: number;
}

/** Options of a command. */
export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends a command that hangs. Default 10 minutes. */
  readonly timeoutMs?: number;
}

const running = new Set<ChildProcess>();
/** Set once this process was told to end: what its commands come to then is no result. */
let ending = false;

/** Runs a program to its end and collects what it says. Never rejects: a program that cannot start has failed. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const began = performance.now();
  const timeoutMs = options.timeoutMs ?? 600_000;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, so that a command can be ended together with all that it started.
      detached: true,
    });
    running.add(child);
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    const timer = setTimeout(() => {
      chunks.push(Buffer.from(`\nEnded after ${timeoutMs / 1000} s without a result.\n`));
      killGroup(child, "SIGKILL");
    }, timeoutMs);
    const finish = (code: number) => {
      clearTimeout(timer);
      running.delete(child);
      if (ending) return;
      resolve({ code, output: Buffer.concat(chunks).toString(), seconds: (performance.now() - began) / 1000 });
    };
    child.once("error", (error) => {
      chunks.push(Buffer.from(`${command} could not be started: ${error.message}\n`));
      finish(127);
    });
    child.once("close", (code) => finish(code ?? 128));
  });
}

/** Ends the running commands when this process is told to end. Call it once, at the start of a script. */
export function endCommandsOnSignal(): void {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.once(signal, () => {
      ending = true;
      for (const child of running) killGroup(child, "SIGTERM");
      // What a test runner started needs a moment to notice; then nothing is left alive.
      setTimeout(
        () => {
          for (const child of running) killGroup(child, "SIGKILL");
          process.exit(code);
        },
        running.size > 0 ? 1000 : 0,
      );
    });
  }
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}
