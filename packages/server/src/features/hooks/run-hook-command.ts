import { timerDelay } from "../../lib/timer-delay.ts";
import { startOwned } from "../../run/process/process-table.ts";
import type { RunningProcess } from "../../run/process/running-process.ts";
import { setVariables } from "../../run/process/set-variables.ts";

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

/** Runs a hook in a shell, which ends with its time, and with the server. Never rejects. */
export async function runHookCommand(hook: HookCommand): Promise<HookResult> {
  const { command, input, cwd, env, timeoutSec, signal } = hook;
  const streams = { stdout: new Kept(), stderr: new Kept() };
  const result = (error: string | null, exitCode: number | null = null): HookResult => ({
    exitCode,
    stdout: streams.stdout.text,
    stderr: streams.stderr.text,
    error,
  });
  let running: RunningProcess;
  try {
    const argv = [env.SHELL || "/bin/sh", "-lc", command];
    const onOutput = (bytes: Uint8Array, from: "stdout" | "stderr") => streams[from].add(bytes);
    running = startOwned("hooks", { argv, cwd, env: setVariables(env), stdin: true, separate: true, onOutput });
  } catch (error) {
    return result((error as Error).message);
  }
  const stopped = Promise.withResolvers<HookResult>();
  const stop = (why: string) => {
    running.killNow();
    stopped.resolve(result(why));
  };
  const timer = setTimeout(() => stop(`hook timed out after ${timeoutSec}s`), timerDelay(timeoutSec));
  const abort = () => stop("the turn was interrupted");
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  // A hook may ignore its input.
  void running
    .write(input)
    .then(() => running.closeStdin())
    .catch(() => undefined);
  const ended = running.exited.then((status) => result(null, status.signal === null ? status.code : null));
  const first = await Promise.race([stopped.promise, ended]);
  clearTimeout(timer);
  signal?.removeEventListener("abort", abort);
  return first;
}

/** The beginning of a stream. */
class Kept {
  readonly #chunks: Uint8Array[] = [];
  #size = 0;

  add(chunk: Uint8Array): void {
    const part = chunk.subarray(0, maxOutputBytes - this.#size);
    if (part.length === 0) return;
    this.#size += part.length;
    this.#chunks.push(part);
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}
