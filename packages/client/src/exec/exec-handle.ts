import { RpcError } from "@quire/jsonrpc";
import { type CommandExecParams, type CommandExecTerminalSize, ErrorCodes } from "@quire/protocol";
import { decodeBase64, encodeBase64, toBytes } from "../lib/base64.ts";
import { onAbort } from "../lib/on-abort.ts";
import type { ServerPort } from "../port/server-port.ts";
import { ExecTimeoutError } from "./exec-error.ts";
import { defaultOutputBytes, type ExecExit, type ExecStreamOptions } from "./exec-options.ts";
import { isLimit } from "./exec-params.ts";
import { OutputStream } from "./output-stream.ts";

/** Bytes of one `command/exec/write`, so that a long input neither fills a message nor the connection. */
const writeStep = 512 * 1024;
/** The time that the server may take to report the end of a command after `kill()`. */
const killGraceMs = 5000;
/** The time after its timeout in which a command may still be unreported: the server waits 2 s for output of its children. */
const timeoutGraceMs = 10_000;

/**
 * A running command. It can be awaited, which gives how it ended. Disposing of it kills it.
 *
 * When its connection ends, the server kills the command, and the streams and `exit` fail with the connection's error.
 */
export class ExecHandle implements PromiseLike<ExecExit>, AsyncDisposable {
  /** The command's stdout; with `tty`, all its output. */
  readonly stdout: OutputStream;
  /** The command's stderr. */
  readonly stderr: OutputStream;
  /** The end of the command. Rejects when it could not be started, took too long, or is not known to have ended. */
  readonly exit: Promise<ExecExit>;
  /** The id by which the server knows the command on this connection. */
  readonly processId: string | undefined;
  readonly #port: ServerPort;
  #writes: Promise<void> = Promise.resolve();
  #killed = false;
  /** Settles when the server has answered the last request to kill the command. */
  #killing: Promise<void> | undefined;
  #running = true;

  /** @internal `params` without a `processId` run the command in the old, buffered way. */
  constructor(port: ServerPort, params: CommandExecParams, options: ExecStreamOptions) {
    const { maxBufferedBytes = defaultOutputBytes } = options;
    this.#port = port;
    this.processId = params.processId ?? undefined;
    this.stdout = new OutputStream(maxBufferedBytes);
    this.stderr = new OutputStream(maxBufferedBytes);
    this.exit = this.#run(params, options);
    // Awaiting it shows the error; so does reading the streams.
    this.exit.catch(() => undefined);
    if (options.input !== undefined) {
      // A command may end without reading all of its input: that is no failure of its own.
      this.closeStdin(options.input).catch(() => undefined);
    }
  }

  /** Writes to stdin. Resolves when the server has taken it; writes keep their order. */
  write(data: string | Uint8Array): Promise<void> {
    return this.#enqueue(data, false);
  }

  /** Closes stdin, after a last piece of data if one is given. */
  closeStdin(data: string | Uint8Array = ""): Promise<void> {
    return this.#enqueue(data, true);
  }

  /** Tells the terminal of a command with `tty` its new size. */
  async resize(size: CommandExecTerminalSize): Promise<void> {
    await this.#port.request("command/exec/resize", { processId: this.#id("resize"), size });
  }

  /** Kills the command. Resolves when the server has done so; does nothing when it has ended already. */
  async kill(): Promise<void> {
    if (!this.#running) return;
    this.#killing = this.#terminate();
    await this.#killing;
  }

  async #terminate(): Promise<void> {
    try {
      await this.#port.request("command/exec/terminate", { processId: this.#id("kill") });
      this.#killed = true;
    } catch (error) {
      // The one thing that can be wrong with this request is that the command is no longer there.
      if (!RpcError.is(error) || error.code !== ErrorCodes.invalidRequest) throw error;
    }
  }

  // biome-ignore lint/suspicious/noThenProperty: the handle is awaitable by design.
  then<A = ExecExit, B = never>(
    onFulfilled?: ((exit: ExecExit) => A | PromiseLike<A>) | null,
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.exit.then(onFulfilled, onRejected);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // A connection that has ended has killed it too.
    await this.kill().catch(() => undefined);
    await this.exit.catch(() => undefined);
  }

  async #run(params: CommandExecParams, options: ExecStreamOptions): Promise<ExecExit> {
    const { signal, timeoutMs } = options;
    const stop = this.#listen();
    const call = new AbortController();
    let grace: ReturnType<typeof setTimeout> | undefined;
    let forget: (() => void) | undefined;
    const abort = () => {
      if (this.processId === undefined) return call.abort(signal?.reason);
      grace = setTimeout(() => call.abort(signal?.reason), killGraceMs);
      this.kill().catch(() => call.abort(signal?.reason));
    };
    try {
      signal?.throwIfAborted();
      forget = signal && onAbort(signal, abort);
      const exit = await this.#call(params, timeoutMs, call.signal);
      signal?.throwIfAborted();
      this.stdout.end();
      this.stderr.end();
      return exit;
    } catch (error) {
      // What it wrote until its time was up is whole.
      const why = error instanceof ExecTimeoutError ? undefined : error;
      this.stdout.end(why);
      this.stderr.end(why);
      throw error;
    } finally {
      this.#running = false;
      clearTimeout(grace);
      forget?.();
      stop();
    }
  }

  async #call(params: CommandExecParams, timeoutMs: number | undefined, signal: AbortSignal): Promise<ExecExit> {
    const limited = isLimit(timeoutMs);
    const started = performance.now();
    const isLate = () => limited && performance.now() - started >= timeoutMs;
    try {
      const callTimeoutMs = limited ? timeoutMs + timeoutGraceMs : 0;
      const reply = await this.#port.request("command/exec", params, { signal, timeoutMs: callTimeoutMs });
      // The end may be told before the answer to what has caused it.
      await this.#killing?.catch(() => undefined);
      // A server that does not stream has all of it here.
      this.stdout.push(toBytes(reply.stdout), false);
      this.stderr.push(toBytes(reply.stderr), false);
      if (limited && reply.exitCode === 124 && isLate()) throw new ExecTimeoutError(timeoutMs);
      return { exitCode: reply.exitCode, killed: this.#killed };
    } catch (error) {
      // Codex 0.98 has an error for what later is an exit code.
      if (limited && RpcError.is(error) && isLate() && /timed out/.test(error.message)) {
        throw new ExecTimeoutError(timeoutMs);
      }
      const isOver = RpcError.is(error) || error instanceof ExecTimeoutError;
      if (this.processId !== undefined && !isOver) this.kill().catch(() => undefined);
      throw error;
    }
  }

  #listen(): () => void {
    if (this.processId === undefined) return () => undefined;
    return this.#port.onNotification("command/exec/outputDelta", (delta) => {
      if (delta.processId !== this.processId) return;
      const stream = delta.stream === "stderr" ? this.stderr : this.stdout;
      stream.push(decodeBase64(delta.deltaBase64), delta.capReached);
    });
  }

  #enqueue(data: string | Uint8Array, close: boolean): Promise<void> {
    const writing = this.#writes.then(() => this.#send(toBytes(data), close));
    this.#writes = writing.catch(() => undefined);
    return writing;
  }

  async #send(bytes: Uint8Array, close: boolean): Promise<void> {
    const processId = this.#id("write to");
    if (!this.#running) throw new Error("The command has ended: nothing reads its stdin");
    let at = 0;
    do {
      const part = bytes.subarray(at, at + writeStep);
      at += part.length;
      const last = at >= bytes.length;
      if (part.length === 0 && !close) return;
      await this.#port.request("command/exec/write", {
        processId,
        ...(part.length > 0 && { deltaBase64: encodeBase64(part) }),
        ...(close && last && { closeStdin: true }),
      });
    } while (at < bytes.length);
  }

  #id(wish: string): string {
    if (this.processId === undefined) throw new Error(`This server cannot ${wish} a running command`);
    return this.processId;
  }
}
