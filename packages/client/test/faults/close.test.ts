/** However and whenever a client ends, everybody who waits is told, once. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { CodexClient, ConnectionError } from "@quire/client";
import { assertNoChildren } from "@quire/testkit";
import { appServer } from "./support/child.ts";
import { collect, started, wireTurn } from "./support/events.ts";
import { rig } from "./support/hand-server.ts";
import { rejection, test, tick } from "./support/test.ts";

test("close() while all is silent settles turns, iterators, compactions and calls, and leaves no listener", async () => {
  await using fixture = await rig();
  const { client, server, thread } = fixture;
  const { signal } = new AbortController();
  server.on("turn/start", () => ({ turn: wireTurn("t1", "inProgress") }));
  server.on("thread/compact/start", () => ({}));
  const turn = thread.run("go", { signal });
  await turn.id;
  server.play("t1", started("t1"));
  const seen: string[] = [];
  const iterated = rejection(
    (async () => {
      for await (const { type } of turn) seen.push(type);
    })(),
  );
  const call = rejection(client.requestUntyped("silent", {}, { signal }));
  const compacting = rejection(client.handle("other").compact());
  const events = (async () => {
    for await (const _ of thread.events({ signal }));
    return "ended";
  })();
  await server.waitFor("thread/compact/start");
  await server.waitFor("silent");
  await tick();
  await client.close();
  const error = await rejection(turn);
  assert.ok(ConnectionError.is(error) && error.code === "closed" && error.mayHaveRun);
  assert.equal(await iterated, error, "an iterator ends with the error of its turn");
  assert.deepEqual(seen, ["turn.started"]);
  for (const other of [await call, await compacting]) assert.ok(ConnectionError.is(other) && other.mayHaveRun);
  assert.equal(await events, "ended");
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});

test("what is begun on a client that has ended, ends too", async () => {
  await using fixture = await rig();
  const { client, thread } = fixture;
  assert.equal((await thread.events({ signal: AbortSignal.abort() }).next()).done, true);
  await client.close();
  for (let round = 0; round < 2; round++) {
    assert.equal((await thread.events().next()).done, true);
    const error = await rejection(thread.run("go"));
    assert.ok(ConnectionError.is(error) && !error.mayHaveRun);
    await tick();
  }
});

test("close() settles a turn whose start has no reply yet", async () => {
  await using fixture = await rig();
  const turn = fixture.thread.run("go");
  await fixture.server.waitFor("turn/start");
  await fixture.client.close();
  const error = await rejection(turn);
  assert.ok(ConnectionError.is(error) && error.code === "closed" && error.mayHaveRun);
  assert.equal(await rejection(collect(turn)), error);
});

test("close() with 100 calls pending rejects each of them once, and closing again does nothing", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  let settled = 0;
  const count = () => void settled++;
  const calls = Array.from({ length: 100 }, (_, n) => client.requestUntyped("silent", { n }));
  for (const call of calls) call.then(count, count);
  await server.waitFor("silent", 99);
  await Promise.all([client.close(), client.disconnect(), client.close()]);
  for (const outcome of await Promise.allSettled(calls)) {
    assert.ok(outcome.status === "rejected" && ConnectionError.is(outcome.reason));
    assert.equal(outcome.reason.code, "closed");
    assert.equal(outcome.reason.mayHaveRun, true);
  }
  assert.equal(settled, 100);
  const late = await rejection(client.requestUntyped("late", {}));
  assert.ok(ConnectionError.is(late) && late.code === "closed" && !late.mayHaveRun);
  assert.equal(server.calls("late").length, 0);
});

test("whoever listens hears of the end once, in order: the states, then close, then the promise", async () => {
  await using fixture = await rig();
  const { client } = fixture;
  const heard: unknown[] = [];
  client.on("state", (state) => heard.push(state));
  client.on("error", (error) => heard.push(error));
  client.on("close", (error) => heard.push(["close", error]));
  await client.close();
  await client.close();
  assert.deepEqual(heard, ["closed", ["close", undefined]]);
  assert.equal(await client.ended, undefined);
});

test("a server that ends the connection rejects what waits and is reported as an error", async () => {
  await using fixture = await rig();
  const { client, serverEnd } = fixture;
  const heard: unknown[] = [];
  client.on("error", (error) => heard.push(error));
  const call = rejection(client.requestUntyped("silent", {}));
  await serverEnd.close();
  const error = await client.ended;
  assert.ok(ConnectionError.is(error));
  assert.deepEqual(heard, [error]);
  assert.ok(ConnectionError.is(await call));
  assert.equal(client.state, "closed");
});

test("a client that was never connected says so, and once closed it starts nothing", async () => {
  let dialled = 0;
  const make = () => {
    dialled++;
    return assert.fail("should not be dialled");
  };
  const client = new CodexClient({ transport: make });
  const early = await rejection(client.request("thread/loaded/list", {}));
  assert.ok(ConnectionError.is(early) && early.code === "not-initialized" && /connect\(\)/.test(early.message));
  await client.close();
  const error = await rejection(client.connect());
  assert.ok(ConnectionError.is(error));
  assert.equal(dialled, 0);
});

test("close() right after connect() leaves no child behind", async () => {
  const client = new CodexClient({ command: appServer() });
  const connecting = rejection(client.connect());
  await client.close();
  assert.ok(ConnectionError.is(await connecting));
  await assertNoChildren();
});

test("`await using` ends the child, also one that ignores signals and the end of its input", async () => {
  let ended: Promise<Error | undefined>;
  {
    await using client = await CodexClient.spawn({ command: appServer("stubborn"), shutdownMs: 50 });
    ended = client.ended;
    assert.equal(client.state, "ready");
  }
  assert.equal(await ended, undefined);
  await assertNoChildren();
});

test("a listener that throws keeps nobody else from hearing, and shows up as a warning", async () => {
  await using fixture = await rig();
  const { client, server, thread, warnings } = fixture;
  const boom = new Error("boom");
  const heard: string[] = [];
  const fail = () => {
    throw boom;
  };
  client.on("turn:started", fail);
  client.on("turn:started", ({ id }) => heard.push(id));
  client.on("notification", fail);
  client.onNotification("turn/started", fail);
  client.onNotification("turn/started", ({ turn }) => heard.push(`raw ${turn.id}`));
  server.on("turn/start", () => ({ turn: wireTurn("t1", "inProgress") }));
  const turn = thread.run("go");
  await turn.id;
  server.play("t1", started("t1"), ["turn/completed", { turn: wireTurn("t1", "completed") }]);
  assert.equal((await turn).status, "completed");
  assert.deepEqual(heard.sort(), ["raw t1", "t1"]);
  assert.ok(warnings.length >= 3);
  assert.ok(warnings.every(({ code, details }) => code === "handler-failed" && details === boom));
});
