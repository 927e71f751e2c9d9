import { ConnectionError } from "../errors.ts";
import { messageTooLarge } from "../framing.ts";
import { defaultMaxMessageBytes, highWaterMark, type Transport, type TransportSink } from "../transport.ts";

/** What browsers, Bun and the `ws` package have in common. */
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
}

/** Options of {@link connectWebSocket}. */
export interface WebSocketOptions {
  /** Largest message accepted. Default 80 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Request headers such as `Authorization`. Browsers cannot set any: there, asking for one is an error. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Gives up connecting. */
  readonly signal?: AbortSignal | undefined;
  /** How long connecting may take. Default 10 s. */
  readonly connectTimeoutMs?: number | undefined;
}

/** Between looks at a socket's buffer: browsers tell its size, but not when it shrinks. */
const pollMs = 5;
/** How long the peer may take to answer a close. */
const closeMs = 1000;
/** A reader that paused but cannot stop its socket holds at most this much before the connection ends. */
const maxHeldBytes = 16 * 1024 * 1024;

/** One message per text frame over an open WebSocket, which it takes over. */
export class WebSocketTransport implements Transport {
  readonly #socket: WebSocketLike;
  readonly #maxBytes: number;
  #sink: TransportSink | undefined;
  #held: string[] = [];
  #heldSize = 0;
  #paused = true;
  #meant = false;
  #ended = false;
  #closedFrame: ConnectionError | undefined;
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
    socket.onerror = () => undefined;
  }

  get buffered(): number {
    return this.#socket.bufferedAmount;
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    // Not within the call: whoever starts a transport may still be setting up its handlers.
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
    while (!this.#paused && !this.#ended && this.#held.length > 0) {
      const batch = this.#held;
      this.#held = [];
      this.#heldSize = 0;
      for (let at = 0; at < batch.length; at++) {
        if (this.#paused) {
          for (const text of batch.slice(at)) this.#hold(text);
          return;
        }
        this.#sink?.message(batch[at] as string);
      }
    }
    if (this.#socket.readyState === 3 && this.#held.length === 0) this.#end(this.#closedFrame);
  }

  async close(): Promise<void> {
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
    const said = reason === "" ? "" : `: ${reason}`;
    if (code === 1009) this.#closedFrame = messageTooLarge(this.#maxBytes);
    else if (code !== 1000)
      this.#closedFrame = new ConnectionError("closed", `The WebSocket closed with code ${code}${said}`);
    if (!this.#paused && this.#held.length === 0) this.#end(this.#closedFrame);
  }

  #fail(error: ConnectionError, code: number): void {
    this.#end(error);
    this.#socket.close(code);
  }

  #end(error?: ConnectionError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#held = [];
    this.#sink?.closed(this.#meant ? undefined : error);
  }
}
