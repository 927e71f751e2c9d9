import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { resolve as resolvePath } from "node:path";
import process from "node:process";
import { ConnectionError } from "../errors.ts";
import type { Transport, TransportSink } from "../transport.ts";
import { type ProcessRef, processTree, signalAll, signalGroup, spawnTag } from "./process-tree.ts";
import { resolveCommand } from "./resolve-command.ts";
import { StreamTransport, type StreamTransportOptions } from "./stream-transport.ts";
import { Tail } from "./tail.ts";

/** What to spawn and how. */
export interface SpawnOptions extends StreamTransportOptions {
  /** Program to run: a path, or a name looked up on PATH. */
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  /** The child's whole environment. Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** How long the child may take to leave by itself once its stdin has ended. Default 2 s. */
  readonly shutdownMs?: number | undefined;
  /** Sees stderr as it comes. The last 8 KB are kept in any case. */
  readonly onStderr?: ((chunk: Uint8Array) => void) | undefined;
}

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
/** How long stdout may stay open after the child itself has gone. */
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
  readonly #child: ChildProcess;
  readonly #stream: StreamTransport;
  readonly #stderr = new Tail(stderrBytes);
  readonly #tag = randomUUID();
  readonly #gone: Promise<void>;
  #closing: Promise<void> | undefined;
  /** Whether the end was asked for; else it is an error. */
  #meant = false;

  constructor(options: SpawnOptions) {
    this.#options = options;
    const { file, args, verbatim } = resolveCommand(options.command, options.args ?? []);
    this.#child = spawn(file, args, {
      stdio: ["pipe", "pipe", "pipe"],
      cwd: options.cwd,
      env: { ...(options.env ?? process.env), [spawnTag]: this.#tag },
      // A group of its own, so that the whole of it can be signalled, and Ctrl-C in a terminal reaches us alone.
      detached: process.platform !== "win32",
      windowsVerbatimArguments: verbatim,
      windowsHide: true,
    });
    const { stdin, stdout, stderr } = this.#child;
    if (!stdin || !stdout || !stderr) throw new ConnectionError("spawn-failed", `${file} has no pipes`);
    stderr.on("data", (chunk: Uint8Array) => {
      this.#stderr.push(chunk);
      options.onStderr?.(chunk);
    });
    stderr.on("error", () => undefined);
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
    this.#stream.start({
      message: (text) => sink.message(text),
      // The output has ended, mostly because the child did: how it ended makes the better error.
      closed: (error) => void this.#finish(sink, error),
    });
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

  close(): Promise<void> {
    this.#meant = true;
    this.#stream.end();
    return this.#shutDownOnce();
  }

  async #finish(sink: TransportSink, error: ConnectionError | undefined): Promise<void> {
    if (this.#meant) {
      sink.closed(error);
      return;
    }
    await this.#shutDownOnce();
    sink.closed(error ?? this.#exitError());
  }

  #shutDownOnce(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    const { pid } = this.#child;
    if (pid === undefined) return this.#gone;
    const tree = this.#hasExited() ? [] : await processTree(pid, this.#tag).catch(() => []);
    this.#child.stdin?.end();
    if (!(await within(this.#gone, this.#options.shutdownMs ?? 2000))) await this.#terminate(pid, tree);
    signalAll(tree, "SIGKILL");
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  async #terminate(pid: number, tree: readonly ProcessRef[]): Promise<void> {
    await signalGroup(pid, "SIGTERM");
    signalAll(tree, "SIGTERM");
    if (await within(this.#gone, terminateMs)) return;
    await signalGroup(pid, "SIGKILL");
    await this.#gone;
  }

  /** The child has gone; whoever it left behind goes too, and with them the last holders of its pipes. */
  async #exited(resolve: () => void): Promise<void> {
    const { pid, stdout } = this.#child;
    if (pid !== undefined) {
      await signalGroup(pid, "SIGKILL");
      signalAll(await processTree(pid, this.#tag).catch(() => []), "SIGKILL");
    }
    if (stdout && !stdout.readableEnded && !stdout.destroyed) {
      const ended = new Promise<void>((done) => stdout.once("close", done).once("end", done));
      if (!(await within(ended, outputGraceMs))) stdout.destroy();
    }
    resolve();
  }

  #spawnFailed(error: NodeJS.ErrnoException, resolve: () => void): void {
    if (this.#child.pid !== undefined) return;
    resolve();
    this.#stream.end(new ConnectionError("spawn-failed", explainSpawn(error, this.#options), { cause: error }));
  }

  #hasExited(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #exitError(): ConnectionError {
    const { exitCode, signalCode } = this.#child;
    const how = signalCode ? `was ended by ${signalCode}` : `exited with code ${exitCode}`;
    const stderr = this.stderr;
    const said = stderr.trim() === "" ? "" : `; it said: ${stderr.trim().slice(-400)}`;
    return new ConnectionError("closed", `${this.#options.command} ${how}${said}`, {
      exitCode,
      signal: signalCode,
      stderr,
    });
  }
}

function explainSpawn(error: NodeJS.ErrnoException, { command, cwd }: SpawnOptions): string {
  if (error.code === "ENOENT" && cwd !== undefined) {
    return `${command} could not be started: it is not on PATH, or the folder ${resolvePath(cwd)} does not exist`;
  }
  if (error.code === "ENOENT") return `${command} was not found: install it, or give the path of the program`;
  if (error.code === "EACCES") return `${command} may not be executed: check its permissions`;
  return `${command} could not be started: ${error.message}`;
}

async function within(promise: Promise<void>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
