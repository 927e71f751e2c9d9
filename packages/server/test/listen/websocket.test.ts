import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { describe, test } from "node:test";
import { Connection } from "@quire/jsonrpc";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import { eventually } from "@quire/testkit";
import { listenWebSocket, type WebSocketOptions } from "../../src/listen/websocket.ts";
import { echoServer } from "./support/echo-server.ts";

function serving(options: Partial<WebSocketOptions> = {}, maxUnsent?: number) {
  const echo = echoServer(maxUnsent);
  const listener = listenWebSocket(echo, { at: { host: "127.0.0.1", port: 0 }, ...options });
  const http = listener.address.replace("ws:", "http:");
  return { echo, http, address: listener.address, [Symbol.asyncDispose]: () => listener.close() };
}

const handshake =
  "GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

describe("a server on a WebSocket", () => {
  test("names the port it really took", async () => {
    await using server = serving();
    assert.match(server.address, /^ws:\/\/127\.0\.0\.1:[1-9]\d*$/);
  });

  test("serves several clients at once, each with its own replies, one message per frame", async () => {
    await using server = serving();
    const peers = await Promise.all([1, 2, 3].map(async () => new Connection(await connectWebSocket(server.address))));
    const texts = ["é€😀\u2028", "line\nbreak", "x".repeat(200_000)];
    const calls = peers.flatMap((peer, n) =>
      Array.from({ length: 300 }, (_, i) => peer.request("echo", { n, i, text: texts[i % 3] })),
    );
    const replies = (await Promise.all(calls)) as { n: number; i: number }[];
    assert.deepEqual(
      replies.map(({ n, i }) => n * 300 + i),
      Array.from({ length: 900 }, (_, index) => index),
    );
    assert.deepEqual(server.echo.kinds, ["websocket", "websocket", "websocket"]);
    for (const peer of peers) await peer.close();
  });

  test("delivers many notifications in order to a client that keeps up", async () => {
    await using server = serving();
    const peer = new Connection(await connectWebSocket(server.address));
    const seen: number[] = [];
    peer.on("tick", (params) => void seen.push((params as { index: number }).index));
    await peer.request("notifyMany", { count: 20_000, size: 200 });
    assert.deepEqual(
      seen,
      Array.from({ length: 20_000 }, (_, index) => index),
    );
    await peer.close();
  });

  test("tells that it is ready and well", async () => {
    await using server = serving();
    for (const path of ["/readyz", "/healthz"]) {
      assert.equal((await fetch(server.http + path)).status, 200);
      assert.equal((await fetch(server.http + path, { method: "HEAD" })).status, 200);
      const posted = await fetch(server.http + path, { method: "POST" });
      assert.equal(posted.status, 405);
      assert.equal(posted.headers.get("allow"), "GET,HEAD");
    }
  });

  test("answers a probe that names no host, or none that can be, and shows nobody its sources", async () => {
    await using server = serving();
    const port = Number(new URL(server.http).port);
    for (const probe of ["HTTP/1.0\r\n\r\n", "HTTP/1.1\r\nHost: [\r\n\r\n", "HTTP/1.1\r\nHost: a b\r\n\r\n"]) {
      assert.match(await firstWords(port, `GET /readyz ${probe}`), /^HTTP\/1\.1 200 /);
      assert.match(await firstWords(port, `GET /readyz/x ${probe}`), /^HTTP\/1\.1 400 /);
    }
    assert.match(await firstWords(port, handshake.replace("Host: x", "Host: [")), /^HTTP\/1\.1 101 /);
  });

  test("refuses every request that a web page could make", async () => {
    await using server = serving();
    const headers = { Origin: "https://example.org" };
    for (const path of ["/", "/readyz", "/healthz"])
      assert.equal((await fetch(server.http + path, { headers })).status, 403);
    await assert.rejects(connectWebSocket(server.address, { headers: { Origin: "null" } }), /403|Expected 101|failed/i);
    assert.deepEqual(server.echo.kinds, []);
  });

  test("tells a plain HTTP client that it is no web server", async () => {
    await using server = serving();
    const reply = await fetch(`${server.http}/anything`);
    assert.equal(reply.status, 400);
    assert.match(await reply.text(), /upgrade/);
  });

  test("ends a connection whose message is over the limit, and only that one", async () => {
    await using server = serving({ maxMessageBytes: 10_000 });
    const good = new Connection(await connectWebSocket(server.address));
    const bad = new Connection(await connectWebSocket(server.address));
    await assert.rejects(bad.request("echo", "x".repeat(20_000)), { code: "closed" });
    assert.equal(await good.request("echo", "fine"), "fine");
    await good.close();
  });

  test("refuses more clients than it may have, and takes one again when another has left", async () => {
    await using server = serving({ maxConnections: 1 });
    const first = new Connection(await connectWebSocket(server.address));
    await assert.rejects(connectWebSocket(server.address));
    await first.close();
    const second = await eventually(() => connectWebSocket(server.address).catch(() => undefined));
    await second.close();
  });

  test("cuts off a client that does not read, at the bound, and serves the others", async () => {
    await using server = serving({}, 1024 * 1024 * 1024);
    const socket = connectTcp({ host: "127.0.0.1", port: Number(new URL(server.http).port) });
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(handshake);
    // 200 MB are asked for; the transport's own bound is 64 MiB, and the connection's is set out of the way.
    socket.write(frame('{"id":1,"method":"notifyMany","params":{"count":200000,"size":1000}}'));
    await eventually(() => server.echo.ends.some((end) => /does not read/.test(end)), { what: "the cut" });
    const other = new Connection(await connectWebSocket(server.address));
    assert.equal(await other.request("echo", 1), 1);
    await other.close();
    socket.destroy();
  });

  test("takes something large from a client that has not read all yet", async () => {
    await using server = serving();
    const socket = connectTcp({ host: "127.0.0.1", port: Number(new URL(server.http).port) });
    socket.pause();
    socket.write(handshake);
    socket.write(frame('{"id":1,"method":"notifyMany","params":{"count":20000,"size":1000}}'));
    const text = "y".repeat(20 * 1024 * 1024);
    await new Promise((taken) => socket.write(frame(`{"id":2,"method":"echo","params":"${text}"}`), taken));
    let read = 0;
    socket.on("data", (chunk) => {
      read += chunk.length;
    });
    socket.resume();
    await eventually(() => read > 20_000 * 1000 + text.length, { what: "all of both" });
    assert.deepEqual(server.echo.ends, []);
    socket.destroy();
  });

  test("cuts off a client that sends and does not read, also where there is nothing in its messages", async () => {
    await using server = serving();
    const socket = connectTcp({ host: "127.0.0.1", port: Number(new URL(server.http).port) });
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(handshake);
    socket.write(frame('{"id":1,"method":"notifyMany","params":{"count":20000,"size":1000}}'));
    socket.write(Buffer.concat(Array.from({ length: 500_000 }, () => frame(""))));
    await eventually(() => server.echo.ends.some((end) => /faster than they could be served/.test(end)));
    socket.destroy();
  });

  test("tells its clients that it goes away when it is closed", async () => {
    const server = serving();
    const closed = Promise.withResolvers<number>();
    const socket = new WebSocket(server.address);
    socket.onclose = (event) => closed.resolve(event.code);
    await new Promise((resolve) => {
      socket.onopen = resolve;
    });
    await server[Symbol.asyncDispose]();
    assert.equal(await closed.promise, 1001);
    await assert.rejects(fetch(server.http));
  });

  test("does not open itself to other machines without auth, and names the remedy", async () => {
    const at = { host: "0.0.0.0", port: 0 };
    assert.throws(
      () => listenWebSocket(echoServer(), { at }),
      /refusing to start non-loopback websocket listener 0\.0\.0\.0:0 without auth.*--ws-auth.*--ws-allow-unauthenticated/,
    );
    await using told = serving({ at, allowUnauthenticated: true });
    await using guarded = serving({ at, authenticator: { check: () => undefined } });
    assert.match(told.address, /^ws:\/\/0\.0\.0\.0:\d+$/);
    assert.match(guarded.address, /^ws:\/\/0\.0\.0\.0:\d+$/);
  });

  test("says so when the port is taken", async () => {
    await using server = serving();
    const port = Number(new URL(server.http).port);
    assert.throws(() => listenWebSocket(echoServer(), { at: { host: "127.0.0.1", port } }), {
      name: "ListenError",
      message: `cannot listen on 127.0.0.1:${port}: the port is in use; choose another or stop what uses this one`,
    });
    assert.throws(
      () => listenWebSocket(echoServer(), { at: { host: "192.0.2.1", port: 0 }, allowUnauthenticated: true }),
      {
        message: /this machine has no such address; choose one that it has/,
      },
    );
  });
});

/** What comes back first for bytes sent as they are. */
async function firstWords(port: number, request: string): Promise<string> {
  const socket = connectTcp({ host: "127.0.0.1", port });
  socket.write(request);
  const [data] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return data.toString();
}

/** A text frame as a client sends it, masked with zeros. */
function frame(text: string): Buffer {
  const body = Buffer.from(text);
  const head = Buffer.alloc(body.length < 126 ? 6 : body.length < 65_536 ? 8 : 14);
  head[0] = 0x81;
  head[1] = 0x80 | (head.length === 6 ? body.length : head.length === 8 ? 126 : 127);
  if (head.length === 8) head.writeUInt16BE(body.length, 2);
  if (head.length === 14) head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, body]);
}
