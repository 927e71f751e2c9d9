import type { Acceptor, Listener } from "./acceptor.ts";
import { type WebSocketOptions } from "./websocket.ts";
/** Where the socket is when none is named. */
export declare function defaultSocketPath(home: string): string;
/**
 * Serves WebSockets on a unix socket that only this user can open. A socket file that nobody listens on any more is
 * replaced, a live one is left alone; closing removes the file.
 */
export declare function listenUnix(acceptor: Acceptor, options: WebSocketOptions & {
    readonly at: {
        readonly path: string;
    };
}): Promise<Listener>;
