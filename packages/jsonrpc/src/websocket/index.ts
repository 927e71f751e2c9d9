import { ConnectionError } from "../message/errors.ts";
import { defaultMaxMessageBytes, type Transport } from "../transport/transport.ts";
import { opened } from "./open.ts";
import type { WebSocketLike, WebSocketOptions } from "./transport.ts";

export type { WebSocketOptions } from "./transport.ts";

/**
 * Connects to `ws://`, `wss://` or, for a WebSocket over a unix socket, `unix://PATH`.
 *
 * Node 20 has no WebSocket of its own and later ones cannot send headers, so there the `ws` package is used; it is
 * loaded on the first call. Bun brings its own `ws`.
 */
export async function connectWebSocket(url: string, options: WebSocketOptions = {}): Promise<Transport> {
  options.signal?.throwIfAborted();
  const { WebSocket } = await import("ws");
  const { maxMessageBytes = defaultMaxMessageBytes, headers } = options;
  let socket: WebSocketLike;
  try {
    socket = new WebSocket(socketAddress(url), {
      ...(headers && { headers }),
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
    }) as unknown as WebSocketLike;
  } catch (error) {
    throw new ConnectionError("closed", `No WebSocket to ${url}: ${(error as Error).message}`, { cause: error });
  }
  return opened(socket, url, options);
}

/** `unix:///run/x.sock` is `ws+unix:///run/x.sock:/` to the library: the socket's path, then the request's. */
function socketAddress(url: string): string {
  return url.startsWith("unix://") ? `ws+unix://${url.slice("unix://".length)}:/` : url;
}
