import { ConnectionError } from "../message/errors.ts";
import type { Transport } from "../transport/transport.ts";
import { opened } from "./open.ts";
import type { WebSocketLike, WebSocketOptions } from "./transport.ts";

export type { WebSocketOptions } from "./transport.ts";

/** Connects to `ws://` or `wss://`. Headers and unix sockets are not to be had in a browser. */
export async function connectWebSocket(url: string, options: WebSocketOptions = {}): Promise<Transport> {
  options.signal?.throwIfAborted();
  if (options.headers && Object.keys(options.headers).length > 0) {
    throw new ConnectionError("closed", "A browser cannot send headers with a WebSocket: connect through a gateway");
  }
  const { WebSocket } = globalThis as unknown as { WebSocket: new (url: string) => WebSocketLike };
  return opened(new WebSocket(url), url, options);
}
