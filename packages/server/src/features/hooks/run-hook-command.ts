import { spawn } from "node:child_process";
import { timerDelay } from "../../lib/timer-delay.ts";

/** The result of a hook's command. */
export interface HookResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Set when there is no exit code. */
  readonly error: string | null;
}

/** A hook's command and its input. */
export interface HookCommand {
  readonly command: string;
  readonly input: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutSec: number;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes kept of each stream, so that a flood does not fill the memory. */
const maxOutputBytes = 1024 * 1024;

/** Runs a hook in a shell and a process group of its own, which ends with its time. Never rejects. */
export function runHookCommand({ command, input, cwd, env, timeoutSec, signal }: HookCommand): Promise<HookResult> {
  const { promise, resolve } = Promise.withResolvers<HookResult>();
  const shell = env.SHELL || "/bin/sh";
  const child = spawn(shell, ["-lc", command], { cwd, env: env as NodeJS.ProcessEnv, detached: true });
  const streams = { stdout: new Kept(), stderr: new Kept() };
  child.stdout.on("data", (chunk: Buffer) => streams.stdout.add(chunk));
  child.stderr.on("data", (chunk: Buffer) => streams.stderr.add(chunk));
  const end = (error: string | null, exitCode: number | null = null) => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    resolve({ exitCode, stdout: streams.stdout.text, stderr: streams.stderr.text, error });
  };
  const kill = (why: string) => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
    end(why);
  };
  const timer = setTimeout(() => kill(`hook timed out after ${timeoutSec}s`), timerDelay(timeoutSec));
  const abort = () => kill("the turn was interrupted");
  signal?.addEventListener("abort", abort);
  child.on("error", (error) => end(error.message));
  child.on("close", (code) => end(null, code));
  // A hook may ignore its input.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  if (signal?.aborted) abort();
  return promise;
}

/** The beginning of a stream. */
class Kept {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  add(chunk: Buffer): void {
    const part = chunk.subarray(0, maxOutputBytes - this.#size);
    if (part.length === 0) return;
    this.#size += part.length;
    this.#chunks.push(part);
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
