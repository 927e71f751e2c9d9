import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { type RawData, WebSocket, WebSocketServer } from "ws";

/** What stands between a page and Codex. */
export interface Relay extends AsyncDisposable {
  readonly url: string;
  /** `Origin` of each connection that came. */
  readonly origins: readonly (string | undefined)[];
  /** Breaks off all connections; new ones are let in. */
  drop(): void;
}

/** Codex refuses whoever sends an `Origin`, as every browser does. This forwards each frame on a connection without one. */
export async function relayTo(target: string): Promise<Relay> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const sockets = new Set<WebSocket>();
  const origins: (string | undefined)[] = [];
  server.on("connection", (page: WebSocket, request) => {
    origins.push(request.headers.origin);
    join(page, new WebSocket(target), sockets);
  });
  const drop = () => {
    for (const socket of sockets) socket.terminate();
  };
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    origins,
    drop,
    async [Symbol.asyncDispose]() {
      drop();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function join(page: WebSocket, codex: WebSocket, sockets: Set<WebSocket>): void {
  const opened = new Promise<void>((resolve) => codex.once("open", () => resolve()));
  page.on("message", (data: RawData) => void opened.then(() => codex.send(String(data))));
  codex.on("message", (data: RawData) => page.send(String(data)));
  for (const [one, other] of [
    [page, codex],
    [codex, page],
  ] as const) {
    sockets.add(one);
    one.on("error", () => other.terminate());
    one.on("close", () => {
      sockets.delete(one);
      other.terminate();
    });
  }
}
