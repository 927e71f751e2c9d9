import { ConnectionError, highWaterMark, type Transport, type TransportSink } from "@quire/jsonrpc";
import type { ServerWebSocket } from "bun";
import { DrainQueue } from "./drain-queue.ts";

/** The data of a server's socket: its transport. */
export interface SocketData {
  transport: SocketTransport | undefined;
}

/** Unsent data kept for a reader that is slow; beyond it the connection is ended. */
export const maxUnsentBytes: number = 64 * 1024 * 1024;
/**
 * Bytes held while the server is busy, as its socket cannot pause. Beyond this, unless it is one message, the
 * connection ends.
 */
const maxHeldBytes = 16 * 1024 * 1024;
/** The overhead of a kept message. */
const keepingBytes = 64;

/**
 * A message per text frame over a socket of `Bun.serve`. Messages of one tick are corked into one write. The owner of
 * the server calls `received`, `drained` and `gone` from its socket handlers.
 */
export class SocketTransport implements Transport {
  readonly #socket: ServerWebSocket<SocketData>;
  #sink: TransportSink | undefined;
  #outgoing: string[] = [];
  #outgoingSize = 0;
  /** Given to the socket and not yet sent. Counted here: asking the socket costs more than a small message. */
  #unsent = 0;
  /** Messages received while paused, of which `#heldAt` have been delivered. */
  #held: string[] = [];
  #heldAt = 0;
  #heldSize = 0;
  #paused = true;
  #ended = false;
  readonly #room = new DrainQueue(() => this.#hasRoom());

  constructor(socket: ServerWebSocket<SocketData>) {
    this.#socket = socket;
  }

  get buffered(): number {
    return this.#outgoingSize + this.#unsent;
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    // Not within the call: the caller may still be setting up its handlers.
    queueMicrotask(() => this.resume());
  }

  send(text: string): void {
    if (this.#ended) return;
    if (this.buffered > 0 && this.buffered + text.length > maxUnsentBytes) {
      this.#cutOff(`The client does not read: ${this.buffered} bytes are unsent`);
      return;
    }
    if (this.#outgoing.length === 0) queueMicrotask(this.#flush);
    this.#outgoing.push(text);
    this.#outgoingSize += text.length;
  }

  drain(): Promise<void> {
    return this.#room.wait();
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#deliver();
  }

  /** Not while much is unsent: a client that requests more than it reads is slowed down. */
  #deliver(): void {
    while (this.#ready() && this.#heldAt < this.#held.length) {
      const text = this.#held[this.#heldAt++] as string;
      this.#heldSize -= text.length + keepingBytes;
      this.#sink?.message(text);
    }
    // Cut only when most of it is done: a reader that pauses at every message would copy the rest every time.
    if (this.#heldAt * 2 >= this.#held.length) {
      this.#held = this.#held.slice(this.#heldAt);
      this.#heldAt = 0;
    }
  }

  close(): Promise<void> {
    if (!this.#ended) {
      this.#flush();
      this.#end();
      // Going away: a client may wait for the server to come back.
      this.#socket.close(1001);
    }
    return Promise.resolve();
  }

  received(data: string | Uint8Array): void {
    if (this.#ended) return;
    const text = typeof data === "string" ? data : new TextDecoder().decode(data);
    if (this.#ready() && this.#held.length === 0) {
      this.#sink?.message(text);
      return;
    }
    this.#held.push(text);
    this.#heldSize += text.length + keepingBytes;
    if (this.#heldSize > maxHeldBytes && this.#held.length - this.#heldAt > 1) {
      this.#cutOff(`More than ${maxHeldBytes} bytes arrived faster than they could be served`);
    }
  }

  drained(): void {
    this.#unsent = this.#socket.getBufferedAmount();
    this.#room.release();
    this.#deliver();
  }

  #ready(): boolean {
    return !this.#paused && !this.#ended && this.buffered < highWaterMark;
  }

  /** The socket is closed. 1005 (no code) and 1001 (going away) are intentional. */
  gone(code: number, reason: string): void {
    const meant = code === 1000 || code === 1001 || code === 1005;
    const said = reason === "" ? "" : `: ${reason}`;
    this.#end(meant ? undefined : new ConnectionError("closed", `The WebSocket closed with code ${code}${said}`));
  }

  // A function of its own: it is queued for every batch.
  readonly #flush = (): void => {
    if (this.#ended || this.#outgoing.length === 0) return;
    this.#socket.cork(() => {
      for (const text of this.#outgoing) this.#socket.sendText(text);
    });
    this.#outgoing = [];
    this.#outgoingSize = 0;
    this.#unsent = this.#socket.getBufferedAmount();
    if (this.#held.length > 0) this.#deliver();
  };

  #cutOff(reason: string): void {
    this.#end(new ConnectionError("overloaded", reason));
    // No closing handshake: it would wait in line behind what is not read.
    this.#socket.terminate();
  }

  #hasRoom(): boolean {
    return this.#ended || this.buffered < highWaterMark;
  }

  #end(error?: ConnectionError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#held = [];
    this.#outgoing = [];
    this.#outgoingSize = 0;
    this.#unsent = 0;
    this.#room.release();
    this.#sink?.closed(error);
  }
}
