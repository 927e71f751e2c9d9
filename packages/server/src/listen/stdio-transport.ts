import { ConnectionError, highWaterMark, LineReader, type Transport, type TransportSink } from "@quire/jsonrpc";
import { DrainQueue } from "./drain-queue.ts";

/** Options of a {@link StdioTransport}. */
export interface StdioTransportOptions {
  readonly input: ReadableStream<Uint8Array>;
  readonly output: Bun.FileSink;
  /** Largest message in bytes. A larger one ends the connection. Default 192 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Awaited between the end of the input and the end of the connection, so that pending requests are answered. */
  readonly inputEnded?: (() => Promise<unknown>) | undefined;
}

/** A client may send a file of 100 MB in one message, as base64. */
const maxMessageBytes = 192 * 1024 * 1024;

/** Bytes of a large message given to the pipe at once. */
const pieceBytes = 1024 * 1024;

/** Time for a reading peer to take the last output. */
const lastWordsMs = 1000;

/**
 * Newline-delimited JSON over Bun's own streams, which start three times as fast as `process.stdin` and
 * `process.stdout` and cost less per message. Messages of one tick leave in one write. While the pipe is full nothing
 * more is written, so that `buffered` is exact and the connection's bound holds. Input is read only as fast as it is
 * handled, and not while much output waits: a client that requests more than it reads is slowed down, not cut off.
 */
export class StdioTransport implements Transport {
  readonly #input: ReadableStreamDefaultReader<Uint8Array>;
  readonly #output: Bun.FileSink;
  readonly #lines: LineReader;
  readonly #inputEnded: (() => Promise<unknown>) | undefined;
  #sink: TransportSink | undefined;
  #outgoing = "";
  /** Goes out before {@link #outgoing}. */
  #pieces: Uint8Array[] = [];
  #piecesLength = 0;
  /** Given to the pipe and not yet written. */
  #writing = 0;
  #written: Promise<void> = Promise.resolve();
  #paused = false;
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #room = new DrainQueue(() => this.#hasRoom());
  #closing: Promise<void> | undefined;

  constructor(options: StdioTransportOptions) {
    this.#input = options.input.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    this.#output = options.output;
    this.#lines = new LineReader(options.maxMessageBytes ?? maxMessageBytes, true);
    this.#inputEnded = options.inputEnded;
  }

  get buffered(): number {
    // A large message was requested and leaves piece by piece: it delays further requests, and counts for no more.
    return this.#outgoing.length + Math.min(this.#piecesLength, 2 * highWaterMark) + this.#writing;
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    // Not within the call: the caller may still be setting up its handlers.
    queueMicrotask(() => void this.#read());
  }

  send(text: string): void {
    if (this.#ended) return;
    if (this.#outgoing === "" && this.#writing === 0) setImmediate(this.#flush);
    this.#outgoing += `${text}\n`;
  }

  sendEncoded(head: string, bytes: Uint8Array, tail: string): void {
    if (this.#ended) return;
    if (this.#writing === 0) queueMicrotask(this.#flush);
    this.#pieces.push(Buffer.from(this.#outgoing + head));
    for (let at = 0; at < bytes.length; at += pieceBytes) this.#pieces.push(bytes.subarray(at, at + pieceBytes));
    this.#piecesLength += this.#outgoing.length + head.length + bytes.length;
    this.#outgoing = `${tail}\n`;
  }

  drain(): Promise<void> {
    return this.#room.wait();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#resume();
  }

  close(): Promise<void> {
    this.#end();
    this.#closing ??= this.#free();
    return this.#closing;
  }

  async #read(): Promise<void> {
    try {
      while (!this.#ended) {
        const { done, value } = await this.#input.read();
        if (done) break;
        this.#lines.push(value);
        await this.#deliver();
      }
    } catch (error) {
      this.#end(new ConnectionError("closed", `Reading stdin failed: ${(error as Error).message}`, { cause: error }));
    }
    this.#lines.end();
    await this.#deliver();
    if (!this.#ended) await this.#inputEnded?.().catch(() => undefined);
    this.#end();
  }

  /** Delivers received messages. Returns a promise while some have to wait. */
  #deliver(): Promise<void> | undefined {
    this.#pump();
    if (!this.#held()) return undefined;
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  /** True when received messages must wait. */
  #held(): boolean {
    return !this.#ended && (this.#paused || !this.#hasRoom());
  }

  #resume(): void {
    // The reader waits only when something is held; else its loop delivers by itself.
    if (!this.#wake || this.#held()) return;
    this.#pump();
    if (this.#held()) return;
    const wake = this.#wake;
    this.#wake = undefined;
    wake();
  }

  #pump(): void {
    try {
      const sink = this.#sink;
      while (sink && !this.#ended && !this.#held()) {
        const line = this.#lines.read();
        if (line === undefined) return;
        sink.message(line);
      }
    } catch (error) {
      if (!ConnectionError.is(error)) throw error;
      this.#end(error);
    }
  }

  // A function of its own: it is queued for every batch.
  readonly #flush = (): void => {
    if (this.#writing > 0) return;
    const part = this.#next();
    if (part.length === 0) return;
    try {
      const taken = this.#output.write(part);
      const flushed = this.#output.flush();
      if (typeof taken === "number" && typeof flushed === "number") {
        if (this.#pieces.length > 0) queueMicrotask(this.#flush);
        else if (this.#outgoing !== "") this.#flush();
        this.#room.release();
        this.#resume();
        return;
      }
      this.#writing = part.length;
      this.#written = this.#taken(Promise.all([taken, flushed]));
    } catch (error) {
      this.#writeFailed(error);
    }
  };

  /** The next write: a piece of a large message, or everything else. */
  #next(): Uint8Array | string {
    const piece = this.#pieces.shift();
    if (piece !== undefined) {
      this.#piecesLength = this.#pieces.length === 0 ? 0 : this.#piecesLength - piece.length;
      return piece;
    }
    const text = this.#outgoing;
    this.#outgoing = "";
    return text;
  }

  async #taken(write: Promise<unknown>): Promise<void> {
    try {
      await write;
    } catch (error) {
      this.#writeFailed(error);
    }
    this.#writing = 0;
    this.#flush();
    this.#room.release();
    this.#resume();
  }

  /** A closed reader is the normal end, not an error: most clients leave that way. */
  #writeFailed(error: unknown): void {
    this.#outgoing = "";
    this.#pieces = [];
    this.#piecesLength = 0;
    const gone = (error as { code?: string }).code === "EPIPE";
    this.#end(
      gone
        ? undefined
        : new ConnectionError("closed", `Writing to stdout failed: ${(error as Error).message}`, { cause: error }),
    );
  }

  #hasRoom(): boolean {
    return this.#ended || this.buffered < highWaterMark;
  }

  #end(error?: ConnectionError): void {
    if (this.#ended) return;
    this.#flush();
    this.#ended = true;
    this.#wake?.();
    this.#room.release();
    this.#sink?.closed(error);
  }

  async #free(): Promise<void> {
    void this.#input.cancel().catch(() => undefined);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, lastWordsMs);
    });
    await Promise.race([this.#lastWords(), limit]).catch(() => undefined);
    clearTimeout(timer);
  }

  async #lastWords(): Promise<void> {
    while (this.#writing > 0) await this.#written;
    await this.#output.end();
  }
}
