import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { eventually } from "@quire/testkit";
import { type WebSocket, WebSocketServer } from "ws";
import { HandServer, type HandServerOptions } from "./hand-server.ts";

/** One connection that a client made, and the server behind it. */
interface SocketSession {
  readonly server: HandServer;
  /** Breaks the connection off without a closing handshake. */
  drop(): void;
}

/** A WebSocket server that tests drop connections of. */
export interface SocketServer extends AsyncDisposable {
  readonly url: string;
  readonly sessions: readonly SocketSession[];
  /** The `index`th connection, once it is there. */
  session(index: number): Promise<SocketSession>;
  /** Stops listening and drops all connections. */
  close(): Promise<void>;
}

/**
 * Listens on a free port.
 *
 * @param prepare Sets up the server of each connection before the first message of the client is read.
 */
export async function socketServer(
  prepare: (server: HandServer, index: number, drop: () => void) => void,
  options: HandServerOptions = {},
): Promise<SocketServer> {
  const listener = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(listener, "listening");
  const sessions: SocketSession[] = [];
  const sockets = new Set<WebSocket>();
  listener.on("connection", (socket: WebSocket) => {
    const server = new HandServer((text) => socket.send(text), options);
    const drop = () => socket.terminate();
    prepare(server, sessions.length, drop);
    sockets.add(socket);
    socket.on("message", (data) => server.take(String(data)));
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    sessions.push({ server, drop });
  });
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= new Promise((resolve) => {
      listener.close(() => resolve());
      for (const socket of sockets) socket.terminate();
    });
    return closing;
  };
  return {
    url: `ws://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    sessions,
    session: (index) => eventually(() => sessions[index], { what: `connection ${index}`, intervalMs: 1 }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
