import assert from "node:assert/strict";
import { describe } from "node:test";
import { Connection, highWaterMark, RpcError } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { connectionError, deferred, isPending, rejection, rpcError, turn, until } from "../support/async.ts";
import { connectedPair, connectionAndRaw } from "../support/peers.ts";
import { test } from "../support/test.ts";

describe("bounds on calls", () => {
  test("one call more than may wait is refused at once, was not sent, and room is made by a reply", async () => {
    const { connection, raw } = connectionAndRaw({ maxPendingRequests: 2 });
    const first = connection.request("a");
    const second = rejection(connection.request("b"));
    const error = await connectionError(connection.request("c"));
    assert.deepEqual([error.code, error.mayHaveRun], ["overloaded", false]);
    assert.match(error.message, /maxPendingRequests/);
    raw.send({ id: 0, result: 1 });
    await first;
    const third = rejection(connection.request("d"));
    for (const method of ["a", "b", "d"]) assert.equal(((await raw.next()) as { method: string }).method, method);
    await connection.close();
    await Promise.all([second, third]);
  });

  test("one request more than may run is answered -32001 and may be retried; those running go on", async () => {
    const { client, server } = connectedPair({}, { maxRunningRequests: 2 });
    const gate = deferred();
    let started = 0;
    server.handle("wait", () => {
      started++;
      return gate.promise;
    });
    const running = [client.request("wait"), client.request("wait")];
    const error = await rpcError(client.request("wait"));
    assert.deepEqual([error.code, error.mayHaveRun, started], [-32001, false, 2]);
    gate.resolve();
    await Promise.all(running);
    await client.request("wait");
    assert.equal(started, 3);
    await client.close();
  });

  test("a burst far beyond the limit gets exactly one reply per request", async () => {
    const { client, server } = connectedPair({}, { maxRunningRequests: 10 });
    server.handle("work", async (params) => {
      await turn();
      return params;
    });
    const calls = Array.from({ length: 3000 }, (_, n) => client.request("work", n).then(() => "done", codeOf));
    const outcomes = new Set(await Promise.all(calls));
    assert.deepEqual(outcomes, new Set(["done", -32001]));
    await client.close();
  });
});

describe("a listener that cannot keep up", () => {
  test("holds the sender back instead of filling memory, and loses nothing", async () => {
    const limit = 4;
    const { client, server } = connectedPair({}, { maxRunningNotifications: limit });
    let gate = deferred();
    const seen: unknown[] = [];
    server.on("work", async (params) => {
      seen.push(params);
      await gate.promise;
    });
    const total = 50;
    for (let n = 0; n < total; n++) client.notify("work", n);
    await until(() => seen.length === limit);
    client.notify("work", "x".repeat(highWaterMark));
    assert.equal(await isPending(client.drain()), true);
    assert.equal(seen.length, limit);
    assert.ok(client.unsent >= highWaterMark);

    for (let open = true; open; open = seen.length < total + 1) {
      gate.resolve();
      gate = deferred();
      await turn();
    }
    await client.drain();
    assert.deepEqual(
      seen.slice(0, total),
      Array.from({ length: total }, (_, n) => n),
    );
    gate.resolve();
    await client.close();
  });

  test("goes on after listeners that failed, by throwing or by rejecting", async () => {
    const { client, server } = connectedPair({}, { maxRunningNotifications: 1, onHandlerError: () => undefined });
    let seen = 0;
    server.on("work", async () => {
      seen++;
      await turn();
      throw new Error("failed");
    });
    for (let n = 0; n < 20; n++) client.notify("work");
    await until(() => seen === 20);
    await client.close();
  });

  test("can be closed while it holds the sender back", async () => {
    const { client, server } = connectedPair({}, { maxRunningNotifications: 1 });
    const gate = deferred();
    const started = deferred();
    server.on("work", () => {
      started.resolve();
      return gate.promise;
    });
    for (let n = 0; n < 3; n++) client.notify("work", "x".repeat(highWaterMark));
    await started.promise;
    const drained = client.drain();
    await server.close();
    await drained;
    assert.equal(await client.closed, undefined);
    gate.resolve();
  });
});

describe("a peer that does not read", () => {
  test("makes request reject and notify throw `overloaded` once maxUnsentBytes are waiting", async () => {
    const [left] = memoryPair();
    const connection = new Connection(left, { maxUnsentBytes: 1000 });
    connection.notify("n", "x".repeat(600));
    const error = await connectionError(connection.request("r", "x".repeat(600)));
    assert.deepEqual([error.code, error.mayHaveRun], ["overloaded", false]);
    assert.match(error.message, /maxUnsentBytes/);
    assert.throws(() => connection.notify("n", "x".repeat(600)), { code: "overloaded" });
    assert.throws(() => connection.notifyMessage({ method: "n", params: "x".repeat(600) }), { code: "overloaded" });
    connection.notify("n", "x".repeat(100));
    assert.ok(connection.unsent <= 1000);
    assert.equal(connection.open, true);
    await connection.close();
  });

  test("still gets one message larger than maxUnsentBytes while nothing waits", async () => {
    const { client, server } = connectedPair({ maxUnsentBytes: 1000 });
    server.handle("length", (params) => (params as string).length);
    assert.equal(await client.request("length", "x".repeat(50_000)), 50_000);
    await client.close();
  });

  test("is cut off when a reply finds no room, and its calls are aborted", async () => {
    const [left, right] = memoryPair();
    const connection = new Connection(left, { maxUnsentBytes: 1000 });
    connection.handle("big", () => "x".repeat(900));
    const aborted = deferred<unknown>();
    connection.handle("wait", (_, { signal }) => {
      signal.addEventListener("abort", () => aborted.resolve(signal.reason));
      return new Promise(() => undefined);
    });
    right.send('{"id":1,"method":"wait"}');
    right.send('{"id":2,"method":"big"}');
    right.send('{"id":3,"method":"big"}');
    const error = await connection.closed;
    assert.equal(error?.code, "overloaded");
    assert.equal(await aborted.promise, error);
  });

  test("is cut off, and the program lives, when even the error in place of an unsendable reply finds no room", async () => {
    const [left, right] = memoryPair();
    const connection = new Connection(left, { maxUnsentBytes: 1000, onHandlerError: () => undefined });
    connection.handle("big", () => "x".repeat(950));
    connection.handle("bad", async () => 1n);
    right.send('{"id":1,"method":"big"}');
    right.send('{"id":2,"method":"bad"}');
    assert.equal((await connection.closed)?.code, "overloaded");
  });

  test("makes a producer that waits for drain wait, so that unsent stays bounded", async () => {
    const [left, right] = memoryPair();
    const connection = new Connection(left);
    let largest = 0;
    let sent = 0;
    const produced = (async () => {
      for (; sent < 500; sent++) {
        connection.notify("n", "x".repeat(10_000));
        largest = Math.max(largest, connection.unsent);
        await connection.drain();
      }
    })();
    assert.equal(await isPending(produced), true);
    assert.ok(sent < 200);
    let received = 0;
    right.start({ message: () => void received++, closed: () => undefined });
    await produced;
    await until(() => received === 500);
    assert.ok(largest < highWaterMark + 20_000, `${largest} were unsent`);
    await connection.close();
  });
});

function codeOf(error: unknown): number {
  assert.ok(RpcError.is(error));
  return error.code;
}
