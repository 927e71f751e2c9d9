import type { ConnectionError } from "../message/errors.ts";

/**
 * Moves whole messages, as JSON text, in order. It knows nothing of requests and replies.
 *
 * A transport belongs to the one Connection that starts it; closing the connection closes the transport.
 */
export interface Transport {
  /** Begins delivery. Called once. Nothing that arrived before is lost. */
  start(sink: TransportSink): void;
  /** Queues one message. After the end it is silently dropped: the sink knows. */
  send(text: string): void;
  /** Queues one message of which the middle is in bytes, without another copy of them; left out where that cannot be. */
  sendEncoded?(head: string, bytes: Uint8Array, tail: string): void;
  /** Amount queued and not yet taken by the stream or socket, in bytes or UTF-16 units. */
  readonly buffered: number;
  /** Resolves once `buffered` is small again, or the transport has ended. */
  drain(): Promise<void>;
  /** Stops delivery as soon as it can, so that the sender feels backpressure. */
  pause(): void;
  /** Goes on after {@link Transport.pause}. */
  resume(): void;
  /** Says whether this process stays for what may come; at first it does. Left out where nothing keeps it. */
  keepAlive?(on: boolean): void;
  /** Ends a peer at once that {@link close} would give time, where there is one to end. */
  kill?(): void;
  /** Ends both directions and frees everything. Idempotent; resolves when all is gone. */
  close(): Promise<void>;
}

/** Receiver of a transport's messages. */
export interface TransportSink {
  /** Receives a whole message as text, which may not be JSON. */
  message(text: string): void;
  /** The end, called once, after the last message. No error means a clean end. */
  closed(error?: ConnectionError): void;
}

/** Default for the largest message accepted: a 64 MB payload and its envelope. */
export const defaultMaxMessageBytes: number = 80 * 1024 * 1024;

/** Above this much unsent data, `drain()` waits. */
export const highWaterMark: number = 1024 * 1024;
