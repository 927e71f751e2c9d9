import { ConnectionError } from "../message/errors.ts";
import { messageTooLarge } from "../transport/framing.ts";
import { defaultMaxMessageBytes, highWaterMark, type Transport, type TransportSink } from "../transport/transport.ts";

/** The common part of the WebSockets of browsers, Bun and the `ws` package. */
export interface WebSocketLike {
  readonly readyState: number;
  readonly bufferedAmount: number;
  binaryType: string;
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: ((event: { readonly code: number; readonly reason: string }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  /** Stops reading from the socket, where the runtime can. */
  pause?(): void;
  resume?(): void;
  /** Drops the socket without a closing handshake, where the runtime can. */
  terminate?(): void;
  /** The connection below, where the runtime shows it. */
  readonly _socket?: { ref?(): void; unref?(): void } | null | undefined;
}

/** Options of {@link connectWebSocket}. */
export interface WebSocketOptions {
  /** Largest message accepted. Default 80 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Request headers such as `Authorization`. Browsers cannot set any: there, asking for one is an error. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Gives up connecting. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of connecting. Default 10 s. */
  readonly connectTimeoutMs?: number | undefined;
}

/** Between looks at a socket's buffer: browsers tell its size, but not when it shrinks. */
const pollMs = 5;
/** Time that the peer has to answer a close. */
const closeMs = 1000;
/** A reader that paused but cannot stop its socket holds at most this much before the connection ends. */
const maxHeldBytes = 16 * 1024 * 1024;

/** Sends a message per text frame over an open WebSocket, which it owns. */
export class WebSocketTransport implements Transport {
  readonly #socket: WebSocketLike;
  readonly #maxBytes: number;
  #sink: TransportSink | undefined;
  /** Messages that came while paused, of which `#heldAt` have been delivered. */
  #held: string[] = [];
  #heldAt = 0;
  #heldSize = 0;
  #paused = true;
  #meant = false;
  #ended = false;
  /** Why the socket closed, kept until all that came before is delivered. */
  #closeError: ConnectionError | undefined;
  #resolveGone!: () => void;
  readonly #gone: Promise<void> = new Promise((resolve) => {
    this.#resolveGone = resolve;
  });

  constructor(socket: WebSocketLike, options: WebSocketOptions = {}) {
    this.#socket = socket;
    this.#maxBytes = options.maxMessageBytes ?? defaultMaxMessageBytes;
    socket.binaryType = "arraybuffer";
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => this.#socketClosed(event.code, event.reason);
    socket.onerror = (event) => this.#socketFailed(event);
  }

  get buffered(): number {
    return this.#socket.bufferedAmount;
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    // Not within the call: the caller may still be setting up its handlers.
    queueMicrotask(() => this.resume());
  }

  send(text: string): void {
    if (!this.#ended && this.#socket.readyState === 1) this.#socket.send(text);
  }

  async drain(): Promise<void> {
    while (!this.#ended && this.#socket.bufferedAmount >= highWaterMark) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  pause(): void {
    this.#paused = true;
    this.#socket.pause?.();
  }

  resume(): void {
    this.#paused = false;
    this.#socket.resume?.();
    while (!this.#paused && !this.#ended && this.#heldAt < this.#held.length) {
      const text = this.#held[this.#heldAt++] as string;
      this.#heldSize -= text.length;
      this.#sink?.message(text);
    }
    // Cut only when most of it is done: a reader that pauses at every message would copy the rest every time.
    if (this.#heldAt * 2 >= this.#held.length) {
      this.#held = this.#held.slice(this.#heldAt);
      this.#heldAt = 0;
    }
    if (!this.#paused && this.#socket.readyState === 3) this.#end(this.#closeError);
  }

  keepAlive(on: boolean): void {
    const { _socket: socket } = this.#socket;
    if (on || this.#meant) socket?.ref?.();
    else socket?.unref?.();
  }

  async close(): Promise<void> {
    this.keepAlive(true);
    this.#meant = true;
    this.#end();
    if (this.#socket.readyState === 3) return;
    this.#socket.resume?.();
    this.#socket.close(1000);
    const timer = setTimeout(() => {
      this.#socket.terminate?.();
      this.#resolveGone();
    }, closeMs);
    await this.#gone;
    clearTimeout(timer);
  }

  #receive(data: unknown): void {
    if (this.#ended) return;
    const text = typeof data === "string" ? data : new TextDecoder().decode(data as ArrayBuffer);
    if (text.length > this.#maxBytes) this.#fail(messageTooLarge(this.#maxBytes), 1009);
    else if (this.#paused || !this.#sink) this.#hold(text);
    else this.#sink.message(text);
  }

  #hold(text: string): void {
    this.#held.push(text);
    this.#heldSize += text.length;
    if (this.#heldSize > maxHeldBytes && this.#sink) {
      const reason = `More than ${maxHeldBytes} bytes arrived while reading was paused`;
      this.#fail(new ConnectionError("overloaded", reason), 1008);
    }
  }

  #socketClosed(code: number, reason: string): void {
    this.#resolveGone();
    // 1005 is a close frame without a code: meant, too.
    if (code !== 1000 && code !== 1005) {
      const said = reason === "" ? "" : `: ${reason}`;
      this.#closeError ??= new ConnectionError("closed", `The WebSocket closed with code ${code}${said}`);
    }
    if (!this.#paused) this.#end(this.#closeError);
  }

  /** The close that follows says 1006 whatever went wrong; only here is it known that a message was over the limit. */
  #socketFailed(event: unknown): void {
    const { error } = event as { error?: { code?: unknown; message?: unknown } };
    if (error?.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") this.#closeError ??= messageTooLarge(this.#maxBytes);
    else if (error?.message)
      this.#closeError ??= new ConnectionError("closed", `The WebSocket failed: ${error.message}`);
  }

  #fail(error: ConnectionError, code: number): void {
    // In this order: an owner that knows of the end closes with 1000, and the peer would not learn what was wrong.
    this.#socket.close(code);
    this.#end(error);
  }

  #end(error?: ConnectionError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#held = [];
    this.#heldAt = 0;
    this.#sink?.closed(this.#meant ? undefined : error);
  }
}
