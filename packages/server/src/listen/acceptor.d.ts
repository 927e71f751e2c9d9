import type { Transport } from "@quire/jsonrpc";
/** By which way a client came. */
export type ConnectionKind = "stdio" | "websocket" | "unix" | "memory";
/** Takes new connections; a server is one. */
export interface Acceptor {
    /** Serves a client. The transport belongs to whoever accepted it. */
    accept(transport: Transport, info: {
        readonly kind: ConnectionKind;
    }): AcceptedConnection;
}
/** One client that is being served. */
export interface AcceptedConnection {
    /** Settles when the connection is over. */
    readonly closed: Promise<unknown>;
    /** Resolves when no request of this client waits for its reply. Without it, a client that stops writing is not waited for. */
    idle?(): Promise<void>;
}
/** An address on which clients are being served. */
export interface Listener {
    /** Where to connect, with the port that was really taken. */
    readonly address: string;
    /** Resolves when there is nothing left to serve: for stdio, when its one client has gone. */
    readonly closed: Promise<void>;
    /** Takes no new clients and ends those that are there. Idempotent. */
    close(): Promise<void>;
}
