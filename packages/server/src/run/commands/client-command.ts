import { internalError } from "../../lib/rpc-errors.ts";
import type { Launch } from "../process/launcher.ts";
import { startOwned } from "../process/process-table.ts";
import type { RunningProcess } from "../process/running-process.ts";
import { CappedStream, type Taken } from "./capped-stream.ts";
import { InputQueue } from "./input-queue.ts";

type OutputName = "stdout" | "stderr";

/** A command that a client wants run. */
export interface CommandPlan {
  readonly launch: Launch;
  /** The size of the terminal; `undefined` for pipes. */
  readonly tty: { readonly cols: number; readonly rows: number } | undefined;
  readonly streamStdin: boolean;
  /** True to report output as it comes; false to keep it for the end. */
  readonly streamOutput: boolean;
  readonly outputCap: number;
  readonly timeoutMs: number | undefined;
}

/** The owner and listener of a command. */
export interface CommandHost {
  readonly owner: string;
  /** The kind of thing in errors: `command`, `process`. */
  readonly noun: string;
  /** Receives streamed output. A returned promise pauses a command on pipes. */
  onOutput(stream: OutputName, taken: Taken): Promise<void> | void;
}

/** The result of a command, with the output that was kept. */
export interface CommandEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stdoutCapReached: boolean;
  readonly stderr: string;
  readonly stderrCapReached: boolean;
}

/** The exit code of `timeout`. */
const timedOutCode = 124;
const killedCode = 137;

/** A command that a client runs without a thread. Ends by itself, by its timeout, or by {@link ClientCommand.kill}. */
export class ClientCommand {
  /** Settles when it is gone and all its output was reported. Never rejects. */
  readonly ended: Promise<CommandEnd>;
  readonly input: InputQueue | undefined;
  readonly #tty: boolean;
  readonly #process: RunningProcess;
  readonly #outputs: { readonly stdout: CappedStream; readonly stderr: CappedStream };
  #forcedCode: number | undefined;

  /** Throws an RpcError when it cannot be started. */
  constructor(plan: CommandPlan, host: CommandHost) {
    const keep = !plan.streamOutput;
    const outputs = { stdout: new CappedStream(plan.outputCap, keep), stderr: new CappedStream(plan.outputCap, keep) };
    this.#outputs = outputs;
    this.#tty = plan.tty !== undefined;
    this.#process = start(plan, host, (bytes, from) => {
      const taken = outputs[from].take(bytes);
      return taken && plan.streamOutput ? host.onOutput(from, taken) : undefined;
    });
    this.input = plan.streamStdin ? new InputQueue(this.#process) : undefined;
    this.ended = this.#end(plan.timeoutMs);
  }

  /** Resizes the terminal; `false` when there is none. */
  resize({ cols, rows }: { readonly cols: number; readonly rows: number }): boolean {
    if (this.#tty) this.#process.resize(cols, rows);
    return this.#tty;
  }

  /** Kills it and everything it started. Its exit code says so. */
  kill(): void {
    this.#stop(killedCode);
  }

  #stop(code: number): void {
    if (this.#process.done) return;
    this.#forcedCode ??= code;
    this.#process.killNow();
    void this.#process.kill();
  }

  async #end(timeoutMs: number | undefined): Promise<CommandEnd> {
    // More does not fit into a timer, and is as good as never.
    const timer =
      timeoutMs === undefined ? undefined : setTimeout(() => this.#stop(timedOutCode), Math.min(timeoutMs, 0x7fffffff));
    const { code } = await this.#process.exited;
    clearTimeout(timer);
    const { stdout, stderr } = this.#outputs;
    return {
      exitCode: this.#forcedCode ?? code,
      stdout: stdout.text(),
      stdoutCapReached: stdout.full,
      stderr: stderr.text(),
      stderrCapReached: stderr.full,
    };
  }
}

function start(
  { launch, tty, streamStdin }: CommandPlan,
  { owner, noun }: CommandHost,
  onOutput: (bytes: Uint8Array, from: OutputName) => Promise<void> | void,
): RunningProcess {
  try {
    return startOwned(owner, { ...launch, tty, stdin: streamStdin, separate: true, onOutput });
  } catch (error) {
    throw internalError(`failed to spawn ${noun}: ${systemMessage(error)}`);
  }
}

function systemMessage(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  // The runtime blames the program; the folder may be missing.
  if (code === "ENOENT") return "No such file or directory (os error 2)";
  return code === "EACCES" ? "Permission denied (os error 13)" : message;
}
