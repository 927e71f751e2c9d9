import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "node:test";
import { Connection, type ConnectionOptions } from "@quire/jsonrpc";
import { connectWebSocket, type WebSocketOptions } from "@quire/jsonrpc/websocket";
import type { WebSocket } from "ws";
import { connectionError, deferred, rejection, turn, until } from "../support/async.ts";
import { test } from "../support/test.ts";
import { nextFrame, TestServer } from "../support/websocket-server.ts";

interface Link {
  readonly connection: Connection;
  readonly socket: WebSocket;
}

async function link(server: TestServer, options: WebSocketOptions & ConnectionOptions = {}): Promise<Link> {
  const connection = new Connection(await connectWebSocket(server.url, options), options);
  const [socket] = await server.accepted();
  return { connection, socket };
}

describe("connecting a WebSocket", () => {
  test("sends the headers asked for, such as Authorization", async () => {
    await using server = await TestServer.listen();
    const headers = { Authorization: "Bearer secret", "X-Other": "e" };
    const transport = await connectWebSocket(server.url, { headers });
    const [, request] = await server.accepted();
    assert.equal(request.headers.authorization, "Bearer secret");
    assert.equal(request.headers["x-other"], "e");
    await transport.close();
  });

  test("works over a unix socket", async () => {
    const folder = mkdtempSync(join(tmpdir(), "quire-jsonrpc-"));
    await using server = await TestServer.listen(join(folder, "app.sock"));
    const { connection, socket } = await link(server);
    socket.on("message", () => socket.send('{"id":0,"result":"over a file"}'));
    assert.equal(await connection.request("a"), "over a file");
    await connection.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("to nobody gives an error that names the address", async () => {
    const server = await TestServer.listen();
    await server[Symbol.asyncDispose]();
    const error = await connectionError(connectWebSocket(server.url));
    assert.equal(error.code, "closed");
    assert.ok(error.message.includes(server.url), error.message);
    const noSocket = await connectionError(connectWebSocket("unix:///no/such.sock"));
    assert.match(noSocket.message, /unix:\/\/\/no\/such\.sock/);
  });

  test("to an address that is none gives an error that names it", async () => {
    const error = await connectionError(connectWebSocket("not an address"));
    assert.match(error.message, /not an address/);
  });

  test("to a server that speaks something else gives an error, not a hang", async () => {
    const other = createServer((socket) => socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"));
    const port = await listening(other);
    const error = await connectionError(connectWebSocket(`ws://127.0.0.1:${port}/`));
    assert.ok(error.message.includes(`127.0.0.1:${port}`), error.message);
    other.close();
  });

  test("can be given up by a signal, before and while it lasts", async () => {
    const silent = createServer();
    const port = await listening(silent);
    const url = `ws://127.0.0.1:${port}/`;
    const reason = new Error("changed my mind");
    assert.equal(await rejection(connectWebSocket(url, { signal: AbortSignal.abort(reason) })), reason);
    const controller = new AbortController();
    const attempt = rejection(connectWebSocket(url, { signal: controller.signal }));
    silent.once("connection", () => controller.abort(reason));
    assert.equal(await attempt, reason);
    silent.close();
  });

  test("gives up after connectTimeoutMs", async () => {
    const silent = createServer();
    const url = `ws://127.0.0.1:${await listening(silent)}/`;
    const error = await connectionError(connectWebSocket(url, { connectTimeoutMs: 20 }));
    assert.equal(error.code, "timeout");
    assert.match(error.message, /127\.0\.0\.1.* 20 ms/);
    silent.close();
  });

  test("a signal aborted after connecting does not cut the connection", async () => {
    await using server = await TestServer.listen();
    const controller = new AbortController();
    const { connection, socket } = await link(server, { signal: controller.signal });
    controller.abort();
    socket.on("message", () => socket.send('{"id":0,"result":1}'));
    assert.equal(await connection.request("a"), 1);
    await connection.close();
  });
});

describe("messages over a WebSocket", () => {
  test("go as one text frame each, without a newline, and come back so", async () => {
    await using server = await TestServer.listen();
    const { connection, socket } = await link(server);
    const frame = nextFrame(socket);
    connection.notify("n", "é\u2028😀");
    assert.deepEqual(await frame, { text: '{"method":"n","params":"é\u2028😀"}', isBinary: false });
    const seen: unknown[] = [];
    connection.on("n", (params) => void seen.push(params));
    for (let n = 0; n < 100; n++) socket.send(JSON.stringify({ method: "n", params: n }));
    await until(() => seen.length === 100);
    assert.deepEqual(
      seen,
      Array.from({ length: 100 }, (_, n) => n),
    );
    await connection.close();
  });

  test("that come as binary frames are read too", async () => {
    await using server = await TestServer.listen();
    const { connection, socket } = await link(server);
    const seen = deferred<unknown>();
    connection.on("n", seen.resolve);
    socket.send(Buffer.from('{"method":"n","params":"é😀"}'));
    assert.equal(await seen.promise, "é😀");
    await connection.close();
  });

  test("that came before anybody listened are not lost", async () => {
    await using server = await TestServer.listen();
    const transport = await connectWebSocket(server.url);
    const [socket] = await server.accepted();
    for (let n = 0; n < 3; n++) socket.send(JSON.stringify({ method: "early", params: n }));
    const answered = nextFrame(socket);
    await turn();
    const seen: unknown[] = [];
    const connection = new Connection(transport, { onNotification: ({ params }) => void seen.push(params) });
    connection.notify("hello");
    await answered;
    await until(() => seen.length === 3);
    assert.deepEqual(seen, [0, 1, 2]);
    await connection.close();
  });

  test("of several megabytes arrive whole", async () => {
    await using server = await TestServer.listen();
    const { connection, socket } = await link(server);
    socket.on("message", (data) => {
      const { params } = JSON.parse(String(data)) as { params: string };
      socket.send(JSON.stringify({ id: 0, result: params }));
    });
    const text = "é".repeat(4 * 1024 * 1024);
    assert.equal(await connection.request("echo", text), text);
    await connection.close();
  });

  test("are held while a listener cannot keep up, then delivered in order, and the end after them", async () => {
    await using server = await TestServer.listen();
    const { connection, socket } = await link(server, { maxRunningNotifications: 1 });
    const gate = deferred();
    const seen: unknown[] = [];
    connection.on("n", async (params) => {
      seen.push(params);
      await (params === 0 ? gate.promise : turn());
    });
    for (let n = 0; n < 50; n++) socket.send(JSON.stringify({ method: "n", params: n }));
    socket.close(1000);
    await until(() => seen.length === 1);
    for (let turns = 0; turns < 20; turns++) await turn();
    assert.equal(seen.length, 1);
    assert.equal(connection.open, true);
    gate.resolve();
    assert.equal(await connection.closed, undefined);
    assert.deepEqual(
      seen,
      Array.from({ length: 50 }, (_, n) => n),
    );
  });

  test("to a server that does not read are bounded by maxUnsentBytes, and drain waits", async () => {
    await using server = await TestServer.listen();
    const { connection, socket } = await link(server, { maxUnsentBytes: 4 * 1024 * 1024 });
    socket.pause();
    const text = "x".repeat(500_000);
    await until(() => {
      try {
        connection.notify("n", text);
        return false;
      } catch {
        return true;
      }
    });
    assert.ok(connection.unsent <= 4 * 1024 * 1024);
    const drained = connection.drain();
    socket.resume();
    await drained;
    connection.notify("n", text);
    await connection.close();
  });
});

function listening(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port));
  });
}
