import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

/** A WebSocket server on a free port or at a unix socket's path, and the connections it has accepted. */
export class TestServer implements AsyncDisposable {
  readonly #http: Server;
  readonly #sockets: WebSocketServer;
  readonly #accepted: [WebSocket, IncomingMessage][] = [];
  #wake: (() => void) | undefined;
  readonly url: string;

  private constructor(http: Server, url: string) {
    this.#http = http;
    this.url = url;
    this.#sockets = new WebSocketServer({ server: http });
    this.#sockets.on("connection", (socket, request) => {
      socket.on("error", () => undefined);
      this.#accepted.push([socket, request]);
      this.#wake?.();
    });
  }

  static async listen(path?: string): Promise<TestServer> {
    const http = createServer();
    if (path === undefined) http.listen(0, "127.0.0.1");
    else http.listen(path);
    await once(http, "listening");
    const url = path === undefined ? `ws://127.0.0.1:${(http.address() as AddressInfo).port}/` : `unix://${path}`;
    return new TestServer(http, url);
  }

  /** The next connection, with the request that opened it. */
  async accepted(): Promise<[WebSocket, IncomingMessage]> {
    for (;;) {
      const next = this.#accepted.shift();
      if (next) return next;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#sockets.close();
    this.#http.close();
    this.#http.closeAllConnections();
  }
}

/** The next frame that a socket gets, with whether it was binary. */
export async function nextFrame(socket: WebSocket): Promise<{ text: string; isBinary: boolean }> {
  const [data, isBinary] = (await once(socket, "message")) as [Buffer, boolean];
  return { text: data.toString(), isBinary };
}
