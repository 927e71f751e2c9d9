import { ConnectionError } from "../message/errors.ts";
import { LineReader } from "../transport/framing.ts";
import { defaultMaxMessageBytes, highWaterMark, type Transport, type TransportSink } from "../transport/transport.ts";
import type { InputPipe, OutputPipe } from "./child.ts";

/** Options of a transport over streams. */
export interface StreamTransportOptions {
  /** Largest message accepted, in bytes. A larger one ends the connection. Default 80 MiB. */
  readonly maxMessageBytes?: number | undefined;
}

/**
 * Bytes taken from the stream while delivery is paused, before the stream is paused as well. Most pauses are over in a
 * moment; a peer that had to stop writing for each of them would be kept waiting for most of the time.
 */
const maxAhead = 256 * 1024;

/** Time that a peer has to deliver what it had written after it stopped reading, or to read the rest. */
const lastWordsMs = 1000;

/**
 * Newline-delimited JSON over a pair of Node streams. It takes both over: closing ends the writable and destroys the
 * readable. Messages sent in one tick leave in one write.
 */
export class StreamTransport implements Transport {
  readonly #readable: InputPipe;
  readonly #writable: OutputPipe;
  readonly #reader: LineReader;
  #sink: TransportSink | undefined;
  #closed: TransportSink["closed"] | undefined;
  #outgoing = "";
  /** Handed to the stream and not yet taken. Counted here: under Bun a pipe's `writableLength` is always 0. */
  #writing = 0;
  #paused = false;
  #inputEnded = false;
  #ended = false;
  #endError: ConnectionError | undefined;
  #waiting: (() => void)[] = [];
  #closing: Promise<void> | undefined;
  #giveUp: ReturnType<typeof setTimeout> | undefined;

  constructor(readable: InputPipe, writable: OutputPipe, options: StreamTransportOptions = {}) {
    this.#readable = readable;
    this.#writable = writable;
    this.#reader = new LineReader(options.maxMessageBytes ?? defaultMaxMessageBytes);
    writable.on("error", (error) => this.#writeFailed(error));
    writable.on("close", () => this.#release());
    // Listened to from the first moment, but not let flow: when a child has gone, what it wrote last is pushed out to
    // the listener of that time, and else thrown away.
    this.#inputEnded = readable.destroyed || readable.readableEnded;
    readable.on("data", (chunk: Uint8Array) => {
      if (this.#ended) return;
      this.#reader.push(chunk);
      if (!this.held) this.#pump();
      else if (this.#reader.waiting > maxAhead) readable.pause();
    });
    readable.on("end", () => this.#endOfInput());
    readable.on("close", () => this.#endOfInput());
    readable.on("error", (error) => this.end(failure("Reading from the peer failed", error)));
    readable.pause();
  }

  get buffered(): number {
    return this.#outgoing.length + this.#writing;
  }

  /** True if messages have to wait: reading has not started, or the reader paused. */
  get held(): boolean {
    return !this.#ended && (this.#paused || !this.#sink);
  }

  /** @param closed Told of the end in place of the sink, by an owner that has more to say about it. */
  start(sink: TransportSink, closed: TransportSink["closed"] = (error) => sink.closed(error)): void {
    this.#sink = sink;
    this.#closed = closed;
    const alreadyEnded = this.#ended;
    // Not within the call: the caller may still be setting up its handlers.
    queueMicrotask(() => {
      if (alreadyEnded) closed(this.#endError);
      else if (!this.#paused) this.#flow();
    });
  }

  send(text: string): void {
    if (this.#ended) return;
    if (this.#outgoing === "") queueMicrotask(() => this.#flush());
    this.#outgoing += `${text}\n`;
  }

  drain(): Promise<void> {
    if (this.#hasRoom()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (this.#sink) this.#flow();
  }

  close(): Promise<void> {
    this.end();
    this.#closing ??= this.#free();
    return this.#closing;
  }

  /** Ends delivery and tells the sink. The streams stay as they are, for an owner that shuts them down in its own order. */
  end(error?: ConnectionError): void {
    if (this.#ended) return;
    this.#flush();
    this.#ended = true;
    this.#endError = error;
    this.#release();
    clearTimeout(this.#giveUp);
    // Keeps flowing into nothing, so that a peer that still writes is not blocked by a full pipe.
    this.#readable.resume();
    this.#closed?.(error);
  }

  #flow(): void {
    this.#readable.resume();
    this.#pump();
  }

  #pump(): void {
    try {
      const sink = this.#sink;
      while (sink && !this.#paused && !this.#ended) {
        const line = this.#reader.read();
        if (line === undefined) {
          if (this.#inputEnded) this.end();
          return;
        }
        sink.message(line);
      }
    } catch (error) {
      if (!ConnectionError.is(error)) throw error;
      this.end(error);
    }
  }

  #endOfInput(): void {
    if (this.#inputEnded) return;
    this.#inputEnded = true;
    this.#reader.end();
    this.#pump();
  }

  #flush(): void {
    if (this.#outgoing === "") return;
    const text = this.#outgoing;
    this.#outgoing = "";
    if (this.#ended || !this.#writable.writable) return;
    this.#writing += text.length;
    this.#writable.write(text, () => {
      this.#writing -= text.length;
      this.#release();
    });
  }

  #hasRoom(): boolean {
    return this.#ended || this.#writable.destroyed || this.buffered < highWaterMark;
  }

  #release(): void {
    if (this.#waiting.length === 0 || !this.#hasRoom()) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }

  async #free(): Promise<void> {
    const writable: OutputPipe = this.#writable;
    // One stream may be both, such as a socket; destroyed at once it would lose what is still to be sent.
    if (!Object.is(this.#readable, writable)) this.#readable.destroy();
    if (!writable.destroyed && !writable.writableFinished) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, lastWordsMs);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        writable.once("finish", done).once("close", done).end();
      });
      if (!writable.writableFinished) writable.destroy();
    }
    this.#readable.destroy();
  }

  #writeFailed(error: Error): void {
    if (this.#ended || this.#giveUp) return;
    this.#giveUp = setTimeout(() => this.end(failure("The peer stopped reading", error)), lastWordsMs);
  }
}

function failure(what: string, cause: Error): ConnectionError {
  return new ConnectionError("closed", `${what}: ${cause.message}`, { cause });
}
