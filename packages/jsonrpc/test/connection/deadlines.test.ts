import assert from "node:assert/strict";
import { describe } from "node:test";
import { Connection } from "@quire/jsonrpc";
import { connectionError, deferred, isPending, rejection, turn } from "../support/async.ts";
import { ManualTransport } from "../support/manual-transport.ts";
import { connectedPair, connectionAndRaw } from "../support/peers.ts";
import { test } from "../support/test.ts";

describe("timeouts", () => {
  test("a call without a reply in time is rejected, says for how long it waited and that it may have run", async () => {
    const { connection } = connectionAndRaw();
    const error = await connectionError(connection.request("slow/call", 1, { timeoutMs: 5 }));
    assert.deepEqual([error.code, error.mayHaveRun], ["timeout", true]);
    assert.match(error.message, /slow\/call.* 5 ms/);
    assert.equal(connection.open, true);
    await connection.close();
  });

  test("many deadlines set in any order expire in their own order", async () => {
    const { connection } = connectionAndRaw();
    const expired: number[] = [];
    const limits = [40, 5, 80, 20, 60, 1, 120, 100];
    const calls = atOneInstant(() => limits.map((timeoutMs) => rejection(connection.request("a", 1, { timeoutMs }))));
    const noted = calls.map(async (call, n) => {
      await call;
      expired.push(limits[n] as number);
    });
    await Promise.all(noted);
    assert.deepEqual(expired, [1, 5, 20, 40, 60, 80, 100, 120]);
    await connection.close();
  });

  test("a thousand calls in flight need one timer", async () => {
    const { connection } = connectionAndRaw();
    const original = globalThis.setTimeout;
    let armed = 0;
    globalThis.setTimeout = ((run: () => void, ms: number) => {
      armed++;
      return original(run, ms);
    }) as typeof setTimeout;
    let calls: Promise<unknown>[];
    try {
      calls = Array.from({ length: 1000 }, (_, n) => rejection(connection.request("a", n, { timeoutMs: 1e6 })));
    } finally {
      globalThis.setTimeout = original;
    }
    assert.equal(armed, 1);
    await connection.close();
    await Promise.all(calls);
  });

  test("a call met in time leaves the deadlines of the others alone", async () => {
    const transport = new ManualTransport();
    const connection = new Connection(transport);
    const met = connection.request("met", 1, { timeoutMs: 2 });
    const missed = connectionError(connection.request("missed", 1, { timeoutMs: 4 }));
    transport.arrive('{"id":0,"result":"in time"}');
    assert.equal(await met, "in time");
    assert.equal((await missed).code, "timeout");
    const afterRest = connectionError(connection.request("after a rest", 1, { timeoutMs: 3 }));
    assert.equal((await afterRest).code, "timeout");
    await connection.close();
  });

  test("0, infinity and a month are no reason to give up early", async () => {
    const { connection, raw } = connectionAndRaw();
    const limits = [0, Number.POSITIVE_INFINITY, 31 * 24 * 3600 * 1000, Number.MAX_SAFE_INTEGER];
    const calls = limits.map((timeoutMs) => connection.request("a", 1, { timeoutMs }));
    await rejection(connection.request("b", 1, { timeoutMs: 5 }));
    for (const id of limits.keys()) raw.send({ id, result: id });
    assert.deepEqual(await Promise.all(calls), [0, 1, 2, 3]);
    await connection.close();
  });

  test("requestTimeoutMs holds for calls that set none, and a call can lift it", async () => {
    const { connection, raw } = connectionAndRaw({ requestTimeoutMs: 5 });
    const lifted = connection.request("lifted", 1, { timeoutMs: 0 });
    assert.equal((await connectionError(connection.request("a"))).code, "timeout");
    raw.send({ id: 0, result: "late but fine" });
    assert.equal(await lifted, "late but fine");
    await connection.close();
  });

  test("a reply that comes after the timeout is dropped quietly", async () => {
    const reported: string[] = [];
    const { connection, raw } = connectionAndRaw({ onMalformed: (text) => void reported.push(text) });
    await rejection(connection.request("a", 1, { timeoutMs: 1 }));
    raw.send({ id: 0, result: "too late" });
    raw.send({ id: 0, error: { code: 1, message: "too late" } });
    const next = connection.request("b");
    raw.send({ id: 1, result: "next" });
    assert.equal(await next, "next");
    assert.deepEqual(reported, []);
    await connection.close();
  });
});

describe("aborting a call", () => {
  test("a signal aborted before sends nothing and rejects with its reason", async () => {
    const { connection, raw } = connectionAndRaw();
    const reason = new Error("changed my mind");
    assert.equal(await rejection(connection.request("a", 1, { signal: AbortSignal.abort(reason) })), reason);
    connection.notify("marker");
    assert.deepEqual(await raw.next(), { method: "marker" });
    await connection.close();
  });

  test("a signal aborted after rejects with its reason; the reply that comes later is dropped quietly", async () => {
    const { connection, raw } = connectionAndRaw();
    const controller = new AbortController();
    const call = rejection(connection.request("a", 1, { signal: controller.signal }));
    await raw.next();
    controller.abort("enough");
    assert.equal(await call, "enough");
    raw.send({ id: 0, result: "too late" });
    const next = connection.request("b");
    raw.send({ id: 1, result: "next" });
    assert.equal(await next, "next");
    await connection.close();
  });

  test("a signal shared by many calls ends all of them, and no other", async () => {
    const { connection, raw } = connectionAndRaw();
    const controller = new AbortController();
    const { signal } = controller;
    const answered = connection.request("a", 1, { signal });
    const calls = Array.from({ length: 49 }, () => rejection(connection.request("a", 1, { signal })));
    const other = connection.request("other");
    raw.send({ id: 0, result: "answered" });
    assert.equal(await answered, "answered");
    controller.abort("enough");
    assert.deepEqual(await Promise.all(calls), new Array(49).fill("enough"));
    assert.equal(await isPending(other), true);
    raw.send({ id: 50, result: "unharmed" });
    assert.equal(await other, "unharmed");
    await connection.close();
  });

  test("a long-lived signal keeps no listener of calls that are settled, however they were", async () => {
    const { client, server } = connectedPair();
    const counted = countingSignal();
    const gate = deferred();
    server.handle("ok", () => 1);
    server.handle("wait", () => gate.promise);
    const { signal } = counted;
    await Promise.all(Array.from({ length: 30 }, () => client.request("ok", 1, { signal })));
    assert.equal(counted.listeners(), 0);
    await rejection(client.request("unknown", 1, { signal }));
    await rejection(client.request("ok", 1n, { signal }));
    await rejection(client.request("wait", 1, { signal, timeoutMs: 1 }));
    assert.equal(counted.listeners(), 0);
    const calls = [1, 2, 3].map(() => rejection(client.request("wait", 1, { signal })));
    assert.equal(counted.listeners(), 1, "one for all calls: Node warns of a leak from the eleventh on");
    await client.close();
    await Promise.all(calls);
    assert.equal(counted.listeners(), 0);
    gate.resolve();
    await turn();
  });
});

/** Runs with the clock standing still, so that a busy machine cannot pull apart what is done together. */
function atOneInstant<T>(run: () => T): T {
  const original = performance.now;
  const instant = performance.now();
  performance.now = () => instant;
  try {
    return run();
  } finally {
    performance.now = original;
  }
}

/** A signal that tells how many listen to it. */
function countingSignal(): { signal: AbortSignal; listeners(): number } {
  const { signal } = new AbortController();
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  return { signal, listeners: () => listeners };
}
