import { endGuarded, killLeftovers, killTagged, signalGroup, tagged } from "@quire/jsonrpc/processes";
import { type Input, startOnPipes } from "./child-pipes.ts";
import { type ExitStatus, exitStatus } from "./exit-status.ts";
import { firstChild, spawnGuarded } from "./guarded-child.ts";
import type { Launch } from "./launcher.ts";

/** Options of a process. */
export interface StartOptions extends Launch {
  /** The size of the terminal; pipes if left out. */
  readonly tty?: { readonly cols: number; readonly rows: number } | undefined;
  /** With pipes: true when stdin can be written; otherwise it is closed from the start. Default false. */
  readonly stdin?: boolean | undefined;
  /** With pipes: true to separate error output, which loses the common order. Default false. */
  readonly separate?: boolean | undefined;
  /** Marks the process and its descendants. */
  readonly tag: string;
  /** Receives output, which is its own to keep. With pipes, a returned promise pauses the stream. */
  readonly onOutput: (bytes: Uint8Array, from: "stdout" | "stderr") => Promise<void> | void;
}

/** Silence after which a process that ended has delivered all, while a child still holds the pipe. */
const drainMs = 100;

/** Longest time for the output of such children. */
const maxDrainMs = 1000;

/** Time between SIGTERM and SIGKILL. */
const graceMs = 300;

/** A started command: the leader of its own session and process group, below a guard where there are any. */
export class RunningProcess {
  readonly tag: string;
  /** Settles when the process is gone and all its output was delivered. Never rejects. */
  readonly exited: Promise<ExitStatus>;
  /** Settles when it is gone with all that it left in the background. Without a guard, nobody knows of these. */
  readonly gone: Promise<unknown>;
  readonly #child: Bun.Subprocess;
  #report: Promise<ExitStatus | undefined> | undefined;
  readonly #onOutput: StartOptions["onOutput"];
  readonly #outputEnds: Promise<unknown>[] = [];
  #input: Input | undefined;
  #delivering = 0;
  #deliveredAt = 0;
  #done = false;
  readonly #release: (() => void) | undefined;
  #leftovers: Promise<void> | undefined;
  #killing: Promise<void> | undefined;

  /** Throws the system's error when it cannot be started. */
  constructor(options: StartOptions) {
    this.tag = options.tag;
    this.#onOutput = options.onOutput;
    const env = { ...options.env, ...tagged(options.tag) };
    this.#release = options.hold?.();
    try {
      this.#child = options.tty
        ? this.#startOnTerminal({ ...options, env }, options.tty)
        : this.#startOnPipes({ ...options, env });
    } catch (error) {
      this.#release?.();
      throw error;
    }
    this.gone = this.#child.exited;
    this.exited = this.#finish(this.#ended());
  }

  get pid(): number {
    return (this.isGuarded && firstChild(this.root)) || this.root;
  }

  /** The process that all others descend from, orphans too: the guard, if there is one. */
  get root(): number {
    return this.#child.pid;
  }

  /** True when all that it starts ends with this server, whatever ends that. */
  get isGuarded(): boolean {
    return this.#report !== undefined;
  }

  /** True when it has ended and all its output was delivered. */
  get done(): boolean {
    return this.#done;
  }

  get writable(): boolean {
    return !this.#done && (this.#child.terminal !== undefined || this.#input !== undefined);
  }

  /** Writes to stdin. Resolves when the bytes were accepted; bytes for a process that is gone are dropped. */
  async write(data: string | Uint8Array): Promise<void> {
    const { terminal } = this.#child;
    if (terminal && !terminal.closed) terminal.write(data);
    await this.#input?.write(data);
  }

  /** Ends stdin: closes the pipe, or sends the terminal's end-of-file key. */
  async closeStdin(): Promise<void> {
    if (this.#child.terminal) await this.write("\u0004");
    await this.#input?.end();
  }

  /** Does nothing without a terminal. */
  resize(cols: number, rows: number): void {
    this.#child.terminal?.resize(cols, rows);
  }

  /** Signals its group. A guard passes it on. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    if (!this.#isGone) await signalGroup(this.root, signal);
  }

  /** Ends it and all its descendants: asks first, then kills. Settles when all are gone. */
  kill(): Promise<void> {
    this.#killing ??= this.#end();
    return this.#killing;
  }

  /** Kills the group at once, when there is no time to wait; with a guard, all that descends from it. */
  killNow(): void {
    if (this.#isGone) return;
    try {
      if (this.isGuarded) endGuarded(this.root);
      else process.kill(-this.root, "SIGKILL");
    } catch {
      // Gone already.
    }
  }

  get #isGone(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #spawn(argv: readonly string[], options: Parameters<typeof spawnGuarded>[1]): Bun.Subprocess {
    const { child, report } = spawnGuarded(argv, options);
    this.#report = report;
    return child;
  }

  #startOnTerminal(options: StartOptions, size: { cols: number; rows: number }): Bun.Subprocess {
    const closed = Promise.withResolvers<void>();
    this.#outputEnds.push(closed.promise);
    return this.#spawn(options.argv, {
      cwd: options.cwd,
      env: options.env,
      terminal: {
        ...size,
        name: options.env.TERM ?? "dumb",
        data: (_, bytes) => void (this.#done || this.#onOutput(bytes, "stdout")),
        exit: () => closed.resolve(),
      },
    });
  }

  #startOnPipes(options: StartOptions): Bun.Subprocess {
    const { argv, cwd, env, stdin = false, separate = false } = options;
    const { child, input, outputs } = startOnPipes({ stdin, separate }, (stdio) =>
      this.#spawn(argv, { cwd, env, stdio: [stdio.stdin, stdio.stdout, stdio.stderr], detached: true }),
    );
    this.#input = input;
    for (const { from, stream } of outputs) this.#outputEnds.push(this.#read(stream, from));
    return child;
  }

  async #read(stream: AsyncIterable<Uint8Array>, from: "stdout" | "stderr"): Promise<void> {
    try {
      for await (const bytes of stream) {
        // Read on after the end: whatever was left in the background would die of a closed pipe.
        if (!this.#done) await this.#deliver(bytes, from);
      }
    } catch {
      // A pipe that breaks has ended.
    }
  }

  async #deliver(bytes: Uint8Array, from: "stdout" | "stderr"): Promise<void> {
    this.#delivering += 1;
    try {
      await this.#onOutput(bytes, from);
    } finally {
      this.#delivering -= 1;
      this.#deliveredAt = performance.now();
    }
  }

  /** The end of the command itself; a guard stays with what it left. */
  async #ended(): Promise<ExitStatus> {
    const reported = await this.#report;
    if (reported) return reported;
    await this.gone;
    return exitStatus(this.#child.exitCode, this.#child.signalCode as NodeJS.Signals | null);
  }

  async #finish(ended: Promise<ExitStatus>): Promise<ExitStatus> {
    const status = await ended;
    await this.#drain();
    // Killed processes may have left others that live a moment longer.
    await this.#leftovers;
    this.#release?.();
    this.#done = true;
    this.#child.terminal?.close();
    await this.#input?.end();
    return status;
  }

  async #drain(): Promise<void> {
    const startedAt = performance.now();
    const ended = Promise.all(this.#outputEnds).then(() => true);
    for (;;) {
      if (await within(drainMs, ended)) return;
      const now = performance.now();
      const quiet = now - this.#deliveredAt >= drainMs || now - startedAt >= maxDrainMs;
      if (quiet && this.#delivering === 0) return;
    }
  }

  async #end(): Promise<void> {
    if (!this.#done) {
      await this.signal("SIGTERM");
      await within(graceMs, this.#report ?? this.gone);
    }
    if (this.isGuarded) {
      this.killNow();
      await this.gone;
      await this.exited;
      return;
    }
    this.#leftovers = killLeftovers(this.pid, this.tag);
    await this.#leftovers;
    await this.exited;
    // A process that was just starting a program when the tree was read did not show that it belongs to it.
    await killTagged(this.tag);
  }
}

/** True when a promise settled in time. */
async function within(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const timer = Promise.withResolvers<boolean>();
  const timeout = setTimeout(() => timer.resolve(false), ms);
  const inTime = await Promise.race([promise.then(() => true), timer.promise]);
  clearTimeout(timeout);
  return inTime;
}
