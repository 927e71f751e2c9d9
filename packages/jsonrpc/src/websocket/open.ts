import { ConnectionError } from "../message/errors.ts";
import { type WebSocketLike, type WebSocketOptions, WebSocketTransport } from "./transport.ts";

/** Waits until a socket is open. Where it fails, the socket is closed and the error says to whom it was. */
export function opened(socket: WebSocketLike, url: string, options: WebSocketOptions): Promise<WebSocketTransport> {
  const transport = new WebSocketTransport(socket, options);
  const { onclose, onerror } = socket;
  const { signal } = options;
  return new Promise((resolve, reject) => {
    let why = "";
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      socket.onopen = null;
      socket.onerror = onerror;
      socket.onclose = onclose;
      finish();
    };
    const fail = (error: unknown) =>
      settle(() => {
        void transport.close();
        reject(error);
      });
    const refused = (reason: string) => fail(new ConnectionError("closed", `No WebSocket to ${url}: ${reason}`));
    const abort = () => fail(signal?.reason);
    const limit = options.connectTimeoutMs ?? 10_000;
    const timer = setTimeout(
      () => fail(new ConnectionError("timeout", `${url} did not accept the connection within ${limit} ms`)),
      limit,
    );
    signal?.addEventListener("abort", abort, { once: true });
    socket.onopen = () => settle(() => resolve(transport));
    socket.onerror = (event: unknown) => {
      const { message, error } = event as { message?: string; error?: { message?: string } };
      why = message || error?.message || why;
    };
    socket.onclose = (event) => {
      onclose?.(event);
      refused(why || event.reason || `closed with code ${event.code}`);
    };
    if (signal?.aborted) abort();
  });
}
