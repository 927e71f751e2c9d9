import { ConnectionError } from "../message/errors.ts";
import { endGuarded } from "../processes/guard/guard.ts";
import {
  killLeftovers,
  newTag,
  type ProcessRef,
  processTree,
  signalAll,
  signalGroup,
  startOf,
} from "../processes/process-tree.ts";
import type { Transport, TransportSink } from "../transport/transport.ts";
import type { Child, InputPipe } from "./child.ts";
import { type SpawnOptions, spawnFailure, startChild } from "./start-child.ts";
import { StreamTransport } from "./stream-transport.ts";
import { Tail } from "./tail.ts";

/** A transport that owns a child process. */
export interface ChildTransport extends Transport {
  /** The child's process id; undefined when it could not be started. */
  readonly pid: number | undefined;
  /** The last 8 KB of the child's stderr. */
  readonly stderr: string;
}

const stderrBytes = 8 * 1024;
/** Between asking the tree to end (SIGTERM) and ending it (SIGKILL). */
const terminateMs = 1000;
/** Time that stdout and stderr may stay open after the child has exited. */
const outputGraceMs = 1000;

/**
 * Starts a child and speaks newline-delimited JSON over its stdin and stdout.
 *
 * `close()` ends its stdin, waits, then terminates it and everything it started. A child that ends by itself takes its
 * tree along too, and the connection ends with an error that holds the exit code and the last of stderr.
 */
export function spawnTransport(options: SpawnOptions): ChildTransport {
  return new SpawnedTransport(options);
}

class SpawnedTransport implements ChildTransport {
  readonly #options: SpawnOptions;
  readonly #child: Child;
  readonly #isGuard: boolean;
  readonly #stream: StreamTransport;
  readonly #stderr = new Tail(stderrBytes);
  readonly #tag = newTag();
  readonly #startedAt: string;
  readonly #gone: Promise<void>;
  #closing: Promise<void> | undefined;
  /** True if the end was requested; otherwise it is an error. */
  #meant = false;
  /** True if the child had to be killed. */
  #terminated = false;
  /** False when the child was killed and nothing of it is waited for. */
  #patient = true;
  #spawnError: ConnectionError | undefined;

  constructor(options: SpawnOptions) {
    this.#options = options;
    ({ child: this.#child, isGuard: this.#isGuard } = startChild(options, this.#tag));
    this.#startedAt = this.#child.pid === undefined ? "" : startOf(this.#child.pid);
    const { stdin, stdout, stderr } = this.#child;
    if (!stdin || !stdout || !stderr) throw new ConnectionError("spawn-failed", `${options.command} has no pipes`);
    stderr.on("data", (chunk: Uint8Array) => {
      this.#stderr.push(chunk);
      options.onStderr?.(chunk);
    });
    stderr.on("error", () => undefined);
    stderr.resume();
    this.#stream = new StreamTransport(stdout, stdin, options);
    this.#gone = new Promise((resolve) => {
      this.#child.once("error", (error) => this.#spawnFailed(error, resolve));
      this.#child.once("exit", () => void this.#exited(resolve));
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stderr(): string {
    return this.#stderr.toString();
  }

  get buffered(): number {
    return this.#stream.buffered;
  }

  start(sink: TransportSink): void {
    // The output has ended, mostly because the child did: how it ended makes the better error.
    this.#stream.start(sink, (error) => void this.#finish(sink, error));
  }

  send(text: string): void {
    this.#stream.send(text);
  }

  drain(): Promise<void> {
    return this.#stream.drain();
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  keepAlive(on: boolean): void {
    const { stdin, stdout, stderr } = this.#child;
    // What is shutting down is waited for.
    for (const each of [this.#child, stdin, stdout, stderr]) {
      if (on || this.#closing) each?.ref?.();
      else each?.unref?.();
    }
  }

  kill(): void {
    this.#patient = false;
    const { pid } = this.#child;
    if (pid === undefined || this.#hasExited()) return;
    if (this.#isGuard) endGuarded(pid);
    else void signalGroup(pid, "SIGKILL");
  }

  close(): Promise<void> {
    this.keepAlive(true);
    this.#meant = true;
    this.#stream.end();
    return this.#shutDownOnce();
  }

  async #finish(sink: TransportSink, error: ConnectionError | undefined): Promise<void> {
    // What the child sent is reason enough; how it will end need not be waited for.
    if (this.#meant || error?.code === "invalid-message") {
      sink.closed(error);
      return;
    }
    await this.#shutDownOnce();
    sink.closed(this.#spawnError ?? this.#exitError(error));
  }

  #shutDownOnce(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return this.#gone;
    const tree =
      this.#hasExited() || this.#isGuard ? [] : await processTree(pid, this.#tag, this.#startedAt).catch(() => []);
    this.#child.stdin?.end();
    const grace = this.#patient ? (this.#options.shutdownMs ?? 2000) : terminateMs;
    if (!(await within(this.#gone, grace))) await this.#terminate(pid, tree);
    signalAll(tree, "SIGKILL");
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  async #terminate(pid: number, tree: readonly ProcessRef[]): Promise<void> {
    // Its number may be another's by now; its leftovers are seen to already.
    if (this.#hasExited()) return this.#gone;
    this.#terminated = true;
    await signalGroup(pid, "SIGTERM");
    signalAll(tree, "SIGTERM");
    if (await within(this.#gone, terminateMs)) return;
    if (this.#isGuard) endGuarded(pid);
    else await signalGroup(pid, "SIGKILL");
    await this.#gone;
  }

  /** The child has gone; the processes that it left behind end too, and with them the last holders of its pipes. */
  async #exited(resolve: () => void): Promise<void> {
    const { pid, stdout, stderr } = this.#child;
    if (pid !== undefined && !this.#isGuard) await killLeftovers(pid, this.#tag, this.#startedAt);
    const ended = Promise.all([outputEnd(stdout), outputEnd(stderr)]);
    // The clock runs only while somebody reads: a reader that paused finds the last words when it continues.
    while (!(await within(ended, outputGraceMs, !this.#stream.held))) {
      if (this.#stream.held) continue;
      stdout?.destroy();
      stderr?.destroy();
      break;
    }
    resolve();
  }

  #spawnFailed(error: NodeJS.ErrnoException, resolve: () => void): void {
    if (this.#child.pid !== undefined) return;
    this.#spawnError = spawnFailure(error, this.#options);
    resolve();
    this.#stream.end(this.#spawnError);
  }

  #hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #exitError(cause: ConnectionError | undefined): ConnectionError {
    const { exitCode, signalCode } = this.#child;
    const exit = signalCode ? `was ended by ${signalCode}` : `exited with code ${exitCode}`;
    const forced = `${cause ? "" : "closed its output, went on running and "}was terminated`;
    const how = this.#terminated ? forced : exit;
    const why = cause ? ` (${cause.message})` : "";
    const stderr = this.stderr;
    const said = stderr.trim() === "" ? "" : `; it said: ${stderr.trim().slice(-400)}`;
    return new ConnectionError("closed", `${this.#options.command} ${how}${why}${said}`, {
      exitCode,
      signal: signalCode,
      stderr,
      cause,
    });
  }
}

function outputEnd(stream: InputPipe | null): Promise<void> {
  if (!stream || stream.readableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => stream.once("end", resolve).once("close", resolve));
}

/** @param keepAlive Whether the process stays for the answer. */
async function within(promise: Promise<unknown>, ms: number, keepAlive = true): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
    if (!keepAlive) timer.unref();
  });
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
