import type { Readable, Writable } from "node:stream";
import { ConnectionError } from "../errors.ts";
import { LineReader } from "../framing.ts";
import { defaultMaxMessageBytes, highWaterMark, type Transport, type TransportSink } from "../transport.ts";

/** Options of a transport over streams. */
export interface StreamTransportOptions {
  /** Largest message accepted, in bytes. A larger one ends the connection. Default 80 MiB. */
  readonly maxMessageBytes?: number | undefined;
}

/** How long a peer that stopped reading may still deliver what it had written. */
const lastWordsMs = 1000;

/**
 * Newline-delimited JSON over a pair of Node streams. It takes both over: closing ends the writable and destroys the
 * readable. Messages sent in one tick leave in one write.
 */
export class StreamTransport implements Transport {
  readonly #readable: Readable;
  readonly #writable: Writable;
  readonly #reader: LineReader;
  #sink: TransportSink | undefined;
  #outgoing = "";
  #paused = false;
  #inputEnded = false;
  #ended = false;
  #giveUp: ReturnType<typeof setTimeout> | undefined;

  constructor(readable: Readable, writable: Writable, options: StreamTransportOptions = {}) {
    this.#readable = readable;
    this.#writable = writable;
    this.#reader = new LineReader(options.maxMessageBytes ?? defaultMaxMessageBytes);
    writable.on("error", (error) => this.#writeFailed(error));
  }

  get buffered(): number {
    return this.#outgoing.length + this.#writable.writableLength;
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    this.#readable.on("data", (chunk: Uint8Array) => {
      this.#reader.push(chunk);
      this.#pump();
    });
    this.#readable.on("end", () => this.#endOfInput());
    this.#readable.on("close", () => this.#endOfInput());
    this.#readable.on("error", (error) => this.end(failure("Reading from the peer failed", error)));
  }

  send(text: string): void {
    if (this.#ended) return;
    if (this.#outgoing === "") queueMicrotask(() => this.#flush());
    this.#outgoing += `${text}\n`;
  }

  async drain(): Promise<void> {
    while (!this.#ended && this.buffered >= highWaterMark) {
      this.#flush();
      await new Promise<void>((resolve) => {
        const go = () => {
          this.#writable.off("drain", go).off("close", go);
          resolve();
        };
        this.#writable.on("drain", go).on("close", go);
      });
    }
  }

  pause(): void {
    this.#paused = true;
    this.#readable.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#readable.resume();
    this.#pump();
  }

  close(): Promise<void> {
    this.end();
    if (!this.#writable.destroyed) this.#writable.end();
    this.#readable.destroy();
    return Promise.resolve();
  }

  /** Ends delivery and tells the sink. The streams stay as they are, for an owner that shuts them down in its own order. */
  end(error?: ConnectionError): void {
    if (this.#ended) return;
    this.#flush();
    this.#ended = true;
    clearTimeout(this.#giveUp);
    // Keeps flowing into nothing, so that a peer that still writes is not blocked by a full pipe.
    this.#readable.resume();
    this.#sink?.closed(error);
  }

  #pump(): void {
    try {
      while (!this.#paused && !this.#ended) {
        const line = this.#reader.read();
        if (line === undefined) {
          if (this.#inputEnded) this.end();
          return;
        }
        this.#sink?.message(line);
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
    if (!this.#ended && this.#writable.writable) this.#writable.write(text);
  }

  #writeFailed(error: Error): void {
    if (this.#ended || this.#giveUp) return;
    this.#giveUp = setTimeout(() => this.end(failure("The peer stopped reading", error)), lastWordsMs);
  }
}

function failure(what: string, cause: Error): ConnectionError {
  return new ConnectionError("closed", `${what}: ${cause.message}`, { cause });
}
