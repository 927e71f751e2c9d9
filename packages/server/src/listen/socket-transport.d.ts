import { type Transport, type TransportSink } from "@quire/jsonrpc";
import type { ServerWebSocket } from "bun";
/** What rides on a server's socket: its transport. */
export interface SocketData {
    transport: SocketTransport | undefined;
}
/** Unsent data kept for a reader that is slow; beyond it the connection is ended. */
export declare const maxUnsentBytes: number;
/**
 * One message per text frame over a socket of `Bun.serve`. What is sent in one tick is corked into one write.
 * The owner of the server calls `received`, `drained` and `gone` from its socket handlers.
 */
export declare class SocketTransport implements Transport {
    #private;
    constructor(socket: ServerWebSocket<SocketData>);
    get buffered(): number;
    start(sink: TransportSink): void;
    send(text: string): void;
    drain(): Promise<void>;
    pause(): void;
    resume(): void;
    close(): Promise<void>;
    /** Ends the connection with a code that tells the client why. Idempotent. */
    closeWith(code: number, reason?: string): Promise<void>;
    /** A frame has arrived. */
    received(data: string | Uint8Array): void;
    /** The socket has room again. */
    drained(): void;
    /** The socket is closed. 1005 is a close frame without a code, 1001 a client that goes away: both meant. */
    gone(code: number, reason: string): void;
}
