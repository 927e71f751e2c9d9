import type { Transport } from "@quire/jsonrpc";

/** By which way a client came. */
export type ConnectionKind = "stdio" | "websocket" | "unix" | "memory";

/** Takes new connections; a server is one. */
export interface Acceptor {
  /** Serves a client. The acceptor owns the transport. */
  accept(transport: Transport, info: { readonly kind: ConnectionKind }): AcceptedConnection;
}

/** A served client. */
export interface AcceptedConnection {
  /** Settles when the connection is over. */
  readonly closed: Promise<unknown>;
  /** Resolves when no request of this client is pending. Without it, a client that stops writing is not waited for. */
  idle?(): Promise<void>;
}

/** An address on which clients are being served. */
export interface Listener {
  /** With the actual port. */
  readonly address: string;
  /** Resolves when there is nothing left to serve: for stdio, when its client has gone. */
  readonly closed: Promise<void>;
  /** Refuses new clients and ends the others. Idempotent. */
  close(): Promise<void>;
}
