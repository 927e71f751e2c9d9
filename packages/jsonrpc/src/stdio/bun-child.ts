import { EventEmitter } from "node:events";
import type { ReadableStream, ReadableStreamDefaultReader } from "node:stream/web";
import type { Child, InputPipe, OutputPipe } from "./child.ts";

/** Options of `Bun.spawn`. */
export interface BunSpawnOptions {
  readonly cmd: readonly string[];
  readonly argv0?: string | undefined;
  readonly stdin: "pipe";
  readonly stdout: "pipe";
  readonly stderr: "pipe";
  readonly cwd?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly detached: boolean;
  readonly windowsVerbatimArguments: boolean;
  readonly windowsHide: boolean;
}

/** As much of Bun as is used here. */
export interface BunRuntime {
  spawn(options: BunSpawnOptions): BunProcess;
}

interface BunProcess {
  readonly pid: number;
  readonly exitCode: number | null;
  readonly signalCode: NodeJS.Signals | null;
  readonly exited: Promise<number>;
  readonly stdin: BunSink;
  readonly stdout: ReadableStream<Uint8Array>;
  readonly stderr: ReadableStream<Uint8Array>;
  unref(): void;
}

interface BunSink {
  write(text: string): unknown;
  flush(): unknown;
  end(): unknown;
  unref(): void;
}

/** Any time will do: nothing happens when it is over. */
const keeperMs = 2 ** 31 - 1;

/**
 * A child started by Bun itself. Its `node:child_process` brings all of Node's streams along, and loading these takes
 * longer than a whole program needs to start.
 */
export class BunChild extends EventEmitter implements Child {
  readonly stdin: OutputPipe;
  readonly stdout: InputPipe;
  readonly stderr: InputPipe;
  readonly #process: BunProcess | undefined;
  /** Keeps this process in place of the pipes: Bun's keep it for good once somebody reads them, unless let go before. */
  #keeper: ReturnType<typeof setInterval> | undefined;
  #hasExited = false;

  constructor(bun: BunRuntime, options: BunSpawnOptions) {
    super();
    this.#process = this.#spawn(bun, options);
    this.#process?.unref();
    this.#process?.stdin.unref();
    this.ref();
    this.stdin = new SinkPipe(this.#process?.stdin);
    this.stdout = new StreamPipe(this.#process?.stdout);
    this.stderr = new StreamPipe(this.#process?.stderr);
    void this.#process?.exited.then(() => {
      this.#hasExited = true;
      this.unref();
      this.emit("exit");
    });
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  get exitCode(): number | null {
    return this.#process?.exitCode ?? null;
  }

  get signalCode(): NodeJS.Signals | null {
    return this.#process?.signalCode ?? null;
  }

  ref(): void {
    if (this.#process && !this.#hasExited) this.#keeper ??= setInterval(() => undefined, keeperMs);
  }

  unref(): void {
    clearInterval(this.#keeper);
    this.#keeper = undefined;
  }

  /** Emits Bun's exceptions as events, as Node does. */
  #spawn(bun: BunRuntime, options: BunSpawnOptions): BunProcess | undefined {
    try {
      return bun.spawn(options);
    } catch (error) {
      queueMicrotask(() => this.emit("error", error));
      return undefined;
    }
  }
}

/** A stream of Bun as something to read from, held until it is resumed. */
class StreamPipe extends EventEmitter implements InputPipe {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #flows = false;
  #reads = false;
  destroyed: boolean;
  readableEnded = false;

  constructor(stream: ReadableStream<Uint8Array> | undefined) {
    super();
    this.#reader = stream?.getReader();
    this.destroyed = stream === undefined;
  }

  pause(): void {
    this.#flows = false;
  }

  resume(): void {
    this.#flows = true;
    if (!this.#reads && this.#reader) void this.#readFrom(this.#reader);
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#reader?.cancel().catch(() => undefined);
    queueMicrotask(() => this.emit("close"));
  }

  async #readFrom(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    this.#reads = true;
    try {
      while (this.#flows && !this.destroyed && !this.readableEnded) {
        const { done, value } = await reader.read();
        if (this.destroyed) break;
        if (!done) {
          this.emit("data", value);
          continue;
        }
        this.readableEnded = true;
        this.emit("end");
        this.destroy();
      }
    } catch (error) {
      if (!this.destroyed) this.emit("error", error);
      this.destroy();
    } finally {
      this.#reads = false;
    }
  }
}

/** A sink of Bun as something to write to. */
class SinkPipe extends EventEmitter implements OutputPipe {
  readonly #sink: BunSink | undefined;
  #ended = false;
  destroyed: boolean;
  writableFinished = false;

  constructor(sink: BunSink | undefined) {
    super();
    this.#sink = sink;
    this.destroyed = sink === undefined;
  }

  get writable(): boolean {
    return !this.#ended && !this.destroyed;
  }

  write(text: string, taken: () => void): void {
    const fail = (error: Error) => {
      taken();
      if (this.destroyed) return;
      this.emit("error", error);
      this.destroy();
    };
    try {
      // The sink buffers small pieces until it is flushed. Each call returns a promise if it has to wait.
      const parts = [this.#sink?.write(text), this.#sink?.flush()];
      if (parts.some((part) => part instanceof Promise)) Promise.all(parts).then(taken, fail);
      else queueMicrotask(taken);
    } catch (error) {
      queueMicrotask(() => fail(error as Error));
    }
  }

  end(): void {
    if (!this.writable) return;
    this.#ended = true;
    const finish = () => {
      this.writableFinished = true;
      this.emit("finish");
      this.destroy();
    };
    try {
      Promise.resolve(this.#sink?.end()).then(finish, () => this.destroy());
    } catch {
      this.destroy();
    }
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    if (!this.#ended) this.#close();
    queueMicrotask(() => this.emit("close"));
  }

  #close(): void {
    this.#ended = true;
    try {
      Promise.resolve(this.#sink?.end()).catch(() => undefined);
    } catch {
      // The other side has gone; there is nothing left to end.
    }
  }
}
