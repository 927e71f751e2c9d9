/** A busy server (-32001) is asked again within the call's time: a burst costs patience, not calls. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { ConnectionError, RpcError } from "@quire/client";
import { ends, wireTurn } from "./support/events.ts";
import { type HandServer, rig } from "./support/hand-server.ts";
import { rejection, test, tick } from "./support/test.ts";

const busy = { code: -32001, message: "Server overloaded; retry later." };

/** Refuses the first `times` calls of each distinct params. */
function busyAtFirst(server: HandServer, method: string, times: number): void {
  const seen = new Map<string, number>();
  server.on(method, (params, id) => {
    const key = JSON.stringify(params);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    if (before >= times) return { echo: params };
    server.refuse({ id }, busy);
    return undefined;
  });
}

/** Runs with the numbers that chance is to give, the last of them for ever. */
async function withChances<T>(numbers: readonly number[], run: () => Promise<T>): Promise<T> {
  const original = Math.random;
  const left = [...numbers];
  Math.random = () => left.shift() ?? (numbers.at(-1) as number);
  try {
    return await run();
  } finally {
    Math.random = original;
  }
}

test("a burst of refusals loses no call, and the retries do not come back as the same burst", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  busyAtFirst(server, "burst", 1);
  const sent = Array.from({ length: 100 }, (_, n) => n);
  const replies = await Promise.all(sent.map((n) => client.requestUntyped("burst", { n })));
  assert.deepEqual(
    replies,
    sent.map((n) => ({ echo: { n } })),
  );
  const order = server.calls("burst").map(({ params }) => (params as { n: number }).n);
  assert.deepEqual(order.slice(0, 100), sent);
  // Each retry waits for a time of its own, so that they come in another order than they were sent.
  assert.notDeepEqual(order.slice(100), sent);
  assert.deepEqual(
    order.slice(100).sort((a, b) => a - b),
    sent,
  );
});

test("several refusals in a row are outlasted, and a turn starts all the same", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  let refusals = 0;
  server.on("turn/start", (_, id) => {
    if (refusals < 3) {
      refusals++;
      server.refuse({ id }, busy);
      return undefined;
    }
    server.reply({ id }, { turn: wireTurn("t1", "inProgress") });
    server.play("t1", ends("t1"));
    return undefined;
  });
  assert.equal((await thread.run("go")).status, "completed");
  assert.equal(server.calls("turn/start").length, 4);
});

test("past the call's time the server's own error is given, and says that a retry is safe", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  busyAtFirst(server, "never", Number.POSITIVE_INFINITY);
  const call = rejection(client.requestUntyped("never", {}, { timeoutMs: 30_000 }));
  // Two waits of no length, then one that would end after the call's time: no clock decides which try is the last.
  const error = await withChances([0, 0, Number.POSITIVE_INFINITY], () => call);
  assert.equal(server.calls("never").length, 3);
  assert.ok(RpcError.is(error), String(error));
  assert.equal(error.code, -32001);
  assert.equal(error.message, busy.message);
  assert.equal(error.mayHaveRun, false);
});

test("other errors are not retried", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  server.on("wrong", (_, id) => server.refuse({ id }, { code: -32603, message: "broken" }));
  const error = await rejection(client.requestUntyped("wrong", {}));
  assert.ok(RpcError.is(error) && error.code === -32603 && error.mayHaveRun);
  assert.equal(server.calls("wrong").length, 1);
});

test("an abort ends the waiting for a busy server with the signal's reason", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  busyAtFirst(server, "never", Number.POSITIVE_INFINITY);
  const controller = new AbortController();
  const call = rejection(client.requestUntyped("never", {}, { signal: controller.signal }));
  await server.waitFor("never", 1);
  await tick();
  controller.abort(new Error("enough"));
  assert.equal(((await call) as Error).message, "enough");
  assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
});

test("close() ends the waiting for a busy server at once, with no timer left", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  busyAtFirst(server, "never", Number.POSITIVE_INFINITY);
  const calls = Array.from({ length: 50 }, (_, n) => rejection(client.requestUntyped("never", { n })));
  await server.waitFor("never", 99);
  await tick();
  await client.close();
  for (const error of await Promise.all(calls)) assert.ok(ConnectionError.is(error) && error.code === "closed");
});
