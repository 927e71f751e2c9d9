import assert from "node:assert/strict";
import { once } from "node:events";
import { describe } from "node:test";
import { Connection, type ConnectionError } from "@quire/jsonrpc";
import { connectWebSocket, type WebSocketOptions } from "@quire/jsonrpc/websocket";
import type { WebSocket } from "ws";
import { connectionError, rejection, turn } from "../support/async.ts";
import { test } from "../support/test.ts";
import { TestServer } from "../support/websocket-server.ts";

/** How a connection sees what the server does to it. */
async function endBy(
  act: (socket: WebSocket) => void,
  options?: WebSocketOptions,
): Promise<ConnectionError | undefined> {
  await using server = await TestServer.listen();
  const connection = new Connection(await connectWebSocket(server.url, options));
  const [socket] = await server.accepted();
  const call = rejection(connection.request("pending"));
  act(socket);
  const error = await connection.closed;
  await call;
  await connection.close();
  return error;
}

describe("a server that closes the WebSocket", () => {
  test("in order, with code 1000 or none, is no error", async () => {
    assert.equal(await endBy((socket) => socket.close(1000, "bye")), undefined);
    assert.equal(await endBy((socket) => socket.close()), undefined);
  });

  test("because it failed gives its code and reason", async () => {
    const error = await endBy((socket) => socket.close(1011, "out of paper"));
    assert.equal(error?.code, "closed");
    assert.match(error?.message ?? "", /1011: out of paper/);
  });

  test("without a word is an error", async () => {
    assert.match((await endBy((socket) => socket.terminate()))?.message ?? "", /1006/);
  });

  test("because our message was too large for it does not blame its own", async () => {
    const error = await endBy((socket) => socket.close(1009, "message too big"));
    assert.match(error?.message ?? "", /1009: message too big/);
    assert.doesNotMatch(error?.message ?? "", /maxMessageBytes/);
  });

  test("rejects the pending call, which may have run, and refuses the next, which did not", async () => {
    await using server = await TestServer.listen();
    const connection = new Connection(await connectWebSocket(server.url));
    const [socket] = await server.accepted();
    const call = connectionError(connection.request("pending"));
    socket.close(1011);
    assert.equal((await call).mayHaveRun, true);
    assert.equal((await connectionError(connection.request("next"))).mayHaveRun, false);
  });

  test("before anybody listened is told to whoever listens later", async () => {
    await using server = await TestServer.listen();
    const transport = await connectWebSocket(server.url);
    const [socket] = await server.accepted();
    socket.send('{"method":"last"}');
    socket.close(1000);
    await once(socket, "close");
    for (let turns = 0; turns < 5; turns++) await turn();
    const seen: string[] = [];
    const connection = new Connection(transport, { onNotification: ({ method }) => void seen.push(method) });
    assert.equal(await connection.closed, undefined);
    assert.deepEqual(seen, ["last"]);
  });
});

describe("a message over the limit", () => {
  test("ends the connection with an error that names the limit", async () => {
    for (const size of [1001, 100_000]) {
      const error = await endBy((socket) => socket.send("x".repeat(size)), { maxMessageBytes: 1000 });
      assert.equal(error?.code, "invalid-message");
      assert.match(error?.message ?? "", /1000 bytes.*maxMessageBytes/);
    }
  });

  test("does not take along those before it", async () => {
    await using server = await TestServer.listen();
    const seen: unknown[] = [];
    const transport = await connectWebSocket(server.url, { maxMessageBytes: 100 });
    const connection = new Connection(transport, { onNotification: ({ params }) => void seen.push(params) });
    const [socket] = await server.accepted();
    socket.send('{"method":"n","params":1}');
    socket.send('{"method":"n","params":2}');
    socket.send("x".repeat(101));
    assert.equal((await connection.closed)?.code, "invalid-message");
    assert.deepEqual(seen, [1, 2]);
  });
});

describe("closing a WebSocket connection", () => {
  test("tells the server 1000, resolves when the socket is gone, and is the same twice", async () => {
    await using server = await TestServer.listen();
    const connection = new Connection(await connectWebSocket(server.url));
    const [socket] = await server.accepted();
    const closed = once(socket, "close") as Promise<[number, Buffer]>;
    await Promise.all([connection.close(), connection.close()]);
    await connection.close();
    assert.equal((await closed)[0], 1000);
    assert.equal(await connection.closed, undefined);
  });

  test("delivers what was sent just before", async () => {
    await using server = await TestServer.listen();
    const connection = new Connection(await connectWebSocket(server.url));
    const [socket] = await server.accepted();
    let received = 0;
    socket.on("message", () => void received++);
    const closed = once(socket, "close");
    for (let n = 0; n < 20; n++) connection.notify("last", "x".repeat(50_000));
    await connection.close();
    await closed;
    assert.equal(received, 20);
  });

  test("does not wait for ever for a server that never answers the close", async () => {
    await using server = await TestServer.listen();
    const connection = new Connection(await connectWebSocket(server.url));
    const [socket] = await server.accepted();
    socket.pause();
    await connection.close();
    assert.equal(connection.open, false);
  });

  test("does not wait for ever while its own reading is paused", async () => {
    await using server = await TestServer.listen();
    const connection = new Connection(await connectWebSocket(server.url), { maxRunningNotifications: 1 });
    const [socket] = await server.accepted();
    const started = new Promise<void>((resolve) => {
      connection.on("n", () => {
        resolve();
        return new Promise<void>(() => undefined);
      });
    });
    for (let n = 0; n < 5; n++) socket.send('{"method":"n"}');
    await started;
    await connection.close();
    assert.equal(await connection.closed, undefined);
  });
});
