import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventually } from "@quire/testkit";
import { testGateway } from "../support/test-gateway.ts";
import type { Rpc } from "../support/test-page.ts";
import { openPage } from "../support/test-page.ts";

/** Something that listens on a port of this machine. */
interface Neighbour extends AsyncDisposable {
  readonly port: number;
  /** How often somebody has come. */
  readonly visits: number;
  /** What was said to it. */
  readonly heard: readonly string[];
}

/** @param isAppServer Whether it answers `initialize`, or takes WebSockets at all. */
function neighbour(isAppServer: boolean): Neighbour {
  let visits = 0;
  const heard: string[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch(request, self) {
      visits++;
      if (isAppServer && self.upgrade(request)) return undefined;
      return new Response("I am something else");
    },
    websocket: {
      message(socket, text) {
        const { id, method } = JSON.parse(String(text)) as Rpc;
        heard.push(String(method));
        if (id !== undefined)
          socket.send(JSON.stringify({ id, result: { userAgent: "neighbour/1.2.3 (x)", data: [] } }));
      },
    },
  });
  return {
    port: server.port ?? 0,
    heard,
    get visits() {
      return visits;
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}

/** A stranger is visited after more and more sweeps, each of which a busy machine may draw out. */
const patience = { timeoutMs: 30_000 };

describe("the sweep", () => {
  test("adds what is an app-server and says no more than hello to it; what is none is not shown", async () => {
    await using server = neighbour(true);
    await using stranger = neighbour(false);
    await using gateway = testGateway({ discovery: { ports: [stranger.port, server.port], everyMs: 1 } });
    await using page = await openPage(gateway);
    const hub = await page.hub();
    assert.deepEqual([hub.kind, hub.address, hub.version], ["discovered", `ws://127.0.0.1:${server.port}`, "1.2.3"]);
    // The stranger is visited again, though less and less often; the server is not, for it is connected.
    await eventually(() => stranger.visits >= 4 && server.heard.length >= 2, patience);
    assert.equal(page.hubs.length, 1);
    assert.equal(server.visits, 1);
    assert.deepEqual(server.heard, ["initialize", "initialized"]);
  });

  test("does not bring back what a user has removed; the user can", async () => {
    await using server = neighbour(true);
    await using stranger = neighbour(false);
    await using gateway = testGateway({ discovery: { ports: [stranger.port, server.port], everyMs: 1 } });
    await using page = await openPage(gateway);
    const { id } = await page.hub();
    page.send({ type: "removeHub", id });
    await eventually(() => page.hubs.length === 0, patience);
    const before = stranger.visits;
    await eventually(() => stranger.visits >= before + 2, patience);
    assert.equal(server.visits, 1);
    page.send({ type: "addHub", address: `ws://127.0.0.1:${server.port}` });
    const back = await page.hub();
    assert.deepEqual([back.id, back.kind], [id, "address"]);
  });

  test("leaves alone a server that is there by its address", async () => {
    await using server = neighbour(true);
    await using stranger = neighbour(false);
    await using gateway = testGateway({
      addresses: [`ws://localhost:${server.port}`],
      discovery: { ports: [stranger.port, server.port], everyMs: 1 },
    });
    await using page = await openPage(gateway);
    await page.hub();
    await eventually(() => stranger.visits >= 3, patience);
    assert.deepEqual(
      page.hubs.map(({ kind }) => kind),
      ["address"],
    );
    assert.equal(server.visits, 1);
  });
});
