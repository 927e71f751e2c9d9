import assert from "node:assert/strict";
import { describe } from "node:test";
import { RpcError } from "@quire/jsonrpc";
import { deferred, isPending, rejection, rpcError, turn } from "../support/async.ts";
import { connectedPair, connectionAndRaw } from "../support/peers.ts";
import { test } from "../support/test.ts";

describe("requests", () => {
  test("a call gets the answer of its handler, synchronous or not", async () => {
    const { client, server } = connectedPair();
    server.handle("sync", (params) => ({ got: params }));
    server.handle("async", async (params) => {
      await turn();
      return { got: params };
    });
    assert.deepEqual(await client.request("sync", [1, "é"]), { got: [1, "é"] });
    assert.deepEqual(await client.request("async", { a: null }), { got: { a: null } });
    await client.close();
  });

  test("both sides can call each other at once", async () => {
    const { client, server } = connectedPair();
    server.handle("ask", async () => `server heard ${await server.request("name")}`);
    client.handle("name", () => "client");
    assert.equal(await client.request("ask"), "server heard client");
    await client.close();
  });

  test("answers out of order reach the calls they belong to", async () => {
    const { client, server } = connectedPair();
    const gates = [deferred(), deferred(), deferred()];
    server.handle("wait", async (params) => {
      await gates[params as number]?.promise;
      return params;
    });
    const order: unknown[] = [];
    const calls = [0, 1, 2].map((n) => client.request("wait", n).then((result) => order.push(result)));
    for (const n of [2, 0, 1]) {
      gates[n]?.resolve();
      await calls[n];
    }
    assert.deepEqual(order, [2, 0, 1]);
    await client.close();
  });

  test("what stands on the wire is a plain message without a jsonrpc member, ids counting up", async () => {
    const { connection, raw } = connectionAndRaw();
    const calls = [connection.request("a", { x: 1 }), connection.request("b")];
    assert.deepEqual(await raw.next(), { method: "a", id: 0, params: { x: 1 } });
    assert.deepEqual(await raw.next(), { method: "b", id: 1 });
    raw.send({ jsonrpc: "2.0", id: 1, result: "two" });
    raw.send({ id: 0, result: "one", error: null });
    assert.deepEqual(await Promise.all(calls), ["one", "two"]);
    await connection.close();
  });

  test("a reply keeps the very id of its request, number or string", async () => {
    const { connection, raw } = connectionAndRaw();
    connection.handle("echo", (_, { id, method }) => ({ id, method }));
    for (const id of [0, 7, -1, 1.5, "0", "", "é\u2028", "a b"]) {
      assert.deepEqual(await raw.ask({ id, method: "echo" }), { id, result: { id, method: "echo" } });
    }
    await connection.close();
  });

  test("a reply to nobody, or with an id of another type, settles nothing and harms nothing", async () => {
    const reported: string[] = [];
    const { connection, raw } = connectionAndRaw({ onMalformed: (text) => void reported.push(text) });
    const call = connection.request("a");
    await raw.next();
    for (const id of [99, "0", "x", null]) {
      raw.send({ id, result: "wrong" });
      raw.send({ id, error: { code: 1, message: "wrong" } });
    }
    assert.equal(await isPending(call), true);
    raw.send({ id: 0, result: "right" });
    raw.send({ id: 0, result: "twice" });
    assert.equal(await call, "right");
    assert.deepEqual(reported, []);
    await connection.close();
  });

  test("undefined as an answer travels as null, so that the caller gets its reply", async () => {
    const { connection, raw } = connectionAndRaw();
    connection.handle("sync", () => undefined);
    connection.handle("async", async () => undefined);
    assert.deepEqual(await raw.ask({ id: 1, method: "sync" }), { id: 1, result: null });
    assert.deepEqual(await raw.ask({ id: 2, method: "async" }), { id: 2, result: null });
    await connection.close();
  });

  test("false, 0 and the empty string are answers", async () => {
    const { client, server } = connectedPair();
    server.handle("echo", (params) => params);
    for (const value of [false, 0, "", null, []]) assert.deepEqual(await client.request("echo", value), value);
    await client.close();
  });

  test("onRequest serves what has no handler of its own, and is told the method", async () => {
    const { client, server } = connectedPair({}, { onRequest: (params, { method }) => [method, params] });
    server.handle("known", () => "own");
    assert.equal(await client.request("known"), "own");
    assert.deepEqual(await client.request("other", 1), ["other", 1]);
    await client.close();
  });

  test("a handler can be removed and replaced; removing an old one leaves its successor", async () => {
    const { client, server } = connectedPair();
    const remove = server.handle("a", () => 1);
    assert.throws(() => server.handle("a", () => 2), /a has a handler already/);
    remove();
    assert.equal((await rpcError(client.request("a"))).code, -32601);
    server.handle("a", () => 3);
    remove();
    assert.equal(await client.request("a"), 3);
    await client.close();
  });

  test("params that are no JSON reject the call and leave nothing pending", async () => {
    const { client, server } = connectedPair({ maxPendingRequests: 1 });
    server.handle("a", () => 1);
    assert.ok((await rejection(client.request("a", 1n))) instanceof TypeError);
    assert.equal(await client.request("a"), 1);
    assert.throws(() => client.notify("a", 1n), TypeError);
    await client.close();
  });

  test("method names of Object.prototype are unknown methods like any other", async () => {
    const { client } = connectedPair();
    for (const method of ["constructor", "__proto__", "toString", ""]) {
      assert.equal((await rpcError(client.request(method))).code, -32601);
    }
    await client.close();
  });
});

describe("notifications", () => {
  test("every listener sees each notification, in order of arrival, with members beside params", async () => {
    const { client, server } = connectedPair();
    const seen: unknown[] = [];
    server.on("n", (params, message) => void seen.push(["first", params, message]));
    server.on("n", (params) => void seen.push(["second", params]));
    client.notify("n", 1);
    client.notifyMessage({ method: "n", params: 2, emittedAt: 5 } as { method: string; params: number });
    server.handle("flush", () => null);
    await client.request("flush");
    assert.deepEqual(seen, [
      ["first", 1, { method: "n", params: 1 }],
      ["second", 1],
      ["first", 2, { method: "n", params: 2, emittedAt: 5 }],
      ["second", 2],
    ]);
    await client.close();
  });

  test("a notification that precedes a reply is seen before the reply", async () => {
    const { connection, raw } = connectionAndRaw();
    const seen: unknown[] = [];
    connection.on("event", (params) => void seen.push(params));
    const call = connection.request("start").then((result) => seen.push(result));
    await raw.next();
    raw.send({ method: "event", params: 1 });
    raw.send({ id: 0, result: "reply" });
    await call;
    assert.deepEqual(seen, [1, "reply"]);
    await connection.close();
  });

  test("a listener that removes itself is not called again, and takes nobody along", async () => {
    const { client, server } = connectedPair();
    const seen: string[] = [];
    const listener = () => void seen.push("twice registered");
    const remove = server.on("n", () => {
      seen.push("once");
      remove();
      remove();
    });
    server.on("n", listener);
    const removeSecond = server.on("n", listener);
    server.handle("flush", () => null);
    client.notify("n");
    await client.request("flush");
    assert.deepEqual(seen.splice(0), ["once", "twice registered", "twice registered"]);
    removeSecond();
    client.notify("n");
    await client.request("flush");
    assert.deepEqual(seen, ["twice registered"]);
    await client.close();
  });

  test("onNotification sees what no listener takes", async () => {
    const seen: unknown[] = [];
    const { client, server } = connectedPair({}, { onNotification: (message) => void seen.push(message) });
    server.on("taken", () => undefined);
    server.handle("flush", () => null);
    client.notify("taken");
    client.notify("other", { a: 1 });
    await client.request("flush");
    assert.deepEqual(seen, [{ method: "other", params: { a: 1 } }]);
    await client.close();
  });

  test("a listener that throws, at once or later, is reported and stops neither the others nor the connection", async () => {
    const reported: unknown[] = [];
    const { client, server } = connectedPair(
      {},
      { onHandlerError: (error, method) => void reported.push([error, method]) },
    );
    const seen: unknown[] = [];
    server.on("n", () => {
      throw new RpcError({ code: 1, message: "at once" });
    });
    server.on("n", () => Promise.reject(new Error("later")));
    server.on("n", () => void seen.push("reached"));
    server.handle("flush", () => null);
    client.notify("n");
    await client.request("flush");
    assert.deepEqual(seen, ["reached"]);
    assert.deepEqual(reported.map((entry) => String(entry)).sort(), ["Error: later,n", "RpcError: at once,n"]);
    await client.close();
  });
});
