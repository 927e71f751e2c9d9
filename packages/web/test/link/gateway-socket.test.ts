import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToPage } from "@quire/protocol/gateway";
import { eventually } from "@quire/testkit";
import { GatewaySocket } from "../../src/link/gateway-socket.ts";
import { tokenIn } from "../../src/link/sign-in.ts";

/**
 * A WebSocket server that stands in for the gateway, and can go away and come back at the same address. It keeps its port
 * meanwhile, which somebody else could take, and lets nobody in.
 */
class Server {
  readonly received: unknown[] = [];
  readonly #message: ToPage = { type: "hubRemoved", id: "hello" };
  readonly #sockets = new Set<Bun.ServerWebSocket>();
  #isThere = true;
  readonly #server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request, server) =>
      this.#isThere && server.upgrade(request) ? undefined : new Response(null, { status: 503 }),
    websocket: {
      open: (socket) => {
        this.#sockets.add(socket);
        socket.send(JSON.stringify(this.#message));
      },
      message: (_socket, text) => void this.received.push(JSON.parse(String(text))),
      close: (socket) => void this.#sockets.delete(socket),
    },
  });
  readonly port = this.#server.port ?? 0;

  goAway(): void {
    this.#isThere = false;
    for (const socket of this.#sockets) socket.terminate();
  }

  comeBack(): void {
    this.#isThere = true;
  }

  stop(): Promise<void> {
    return this.#server.stop(true);
  }
}

/** Far above what a busy machine needs, pauses between the tries included. */
const patience = { timeoutMs: 30_000 };

function watch(port: number, isSignedIn = true) {
  const seen: string[] = [];
  const socket = new GatewaySocket({
    open: () => new WebSocket(`ws://127.0.0.1:${port}/socket`),
    isSignedIn: async () => isSignedIn,
    events: {
      message: (message) => seen.push(message.type),
      connecting: () => seen.push("connecting"),
      opened: () => seen.push("opened"),
      lost: () => seen.push("lost"),
      refused: () => seen.push("refused"),
    },
  });
  return { seen, socket };
}

test("a lost gateway is found again, and what is sent meanwhile is not pretended to be sent", async () => {
  const server = new Server();
  const { seen, socket } = watch(server.port);
  try {
    socket.connect();
    await eventually(() => seen.includes("hubRemoved"), patience);
    assert.equal(socket.send({ type: "reconnectHub", id: "h" }), true);
    await eventually(() => server.received.length > 0, patience);
    assert.deepEqual(server.received, [{ type: "reconnectHub", id: "h" }]);
    server.goAway();
    await eventually(() => seen.includes("lost"), patience);
    assert.equal(socket.send({ type: "reconnectHub", id: "h" }), false);
    server.comeBack();
    await eventually(() => seen.filter((event) => event === "hubRemoved").length === 2, patience);
    assert.equal(seen.includes("refused"), false);
  } finally {
    socket.close();
    await server.stop();
  }
});

test("a browser that is not let in is told so, and does not try for ever", async () => {
  const server = new Server();
  server.goAway();
  const { seen, socket } = watch(server.port, false);
  try {
    socket.connect();
    await eventually(() => seen.includes("refused"), patience);
    const tries = seen.length;
    socket.connect();
    assert.equal(seen.length, tries);
  } finally {
    socket.close();
    await server.stop();
  }
});

test("a token is found in an address's fragment alone", () => {
  assert.equal(tokenIn("#token=a-b_c"), "a-b_c");
  assert.equal(tokenIn("#x=1&token=abc"), "abc");
  assert.equal(tokenIn("#/thread/h/t"), null);
  assert.equal(tokenIn(""), null);
});
