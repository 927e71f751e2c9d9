import type { Acceptor, Listener } from "./acceptor.ts";
import type { Authenticator } from "./auth/authenticator.ts";
/** Where and for whom WebSockets are served. */
export interface WebSocketOptions {
    readonly at: {
        readonly host: string;
        readonly port: number;
    } | {
        readonly path: string;
    };
    /** Who may connect; without it, everybody. */
    readonly authenticator?: Authenticator | undefined;
    /** Serve beyond this machine though nobody has to prove anything. */
    readonly allowUnauthenticated?: boolean | undefined;
    /** Largest message accepted, in bytes. Default 80 MiB. */
    readonly maxMessageBytes?: number | undefined;
    /** Clients at once; one more is refused with 503. Default 1,024. */
    readonly maxConnections?: number | undefined;
}
/**
 * Serves WebSockets, and `/readyz` and `/healthz` beside them.
 *
 * Any request with an `Origin` header is refused, since it comes from a web page, which no user has sent. Who may
 * connect is decided before the upgrade.
 */
export declare function listenWebSocket(acceptor: Acceptor, options: WebSocketOptions): Listener;
