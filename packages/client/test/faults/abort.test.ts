/** An abort interrupts the turn on the server, waits for its end and rejects with the reason: once, whenever it comes. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { ConnectionError, type TurnHandle } from "@quire/client";
import { gate, random } from "@quire/testkit";
import { collect, delta, ends, kinds, wholeTurn, wireTurn } from "./support/events.ts";
import { type HandServer, rig } from "./support/hand-server.ts";
import { rejection, test, tick } from "./support/test.ts";

const reason = new Error("changed my mind");
const running = (id: string) => ({ turn: wireTurn(id, "inProgress") });

/** Watches a turn without waiting for it. */
function watch(turn: TurnHandle): { settled: number; readonly outcome: Promise<unknown> } {
  const watched = { settled: 0, outcome: Promise.resolve() as Promise<unknown> };
  const settle = (value: unknown) => {
    watched.settled++;
    return value;
  };
  watched.outcome = turn.then(settle, settle);
  return watched;
}

test("a turn aborted before it starts is never started", async () => {
  await using fixture = await rig();
  const signal = AbortSignal.abort(reason);
  const turn = fixture.thread.run("go", { signal });
  assert.equal(await rejection(turn), reason);
  assert.equal(await rejection(collect(turn)), reason);
  assert.equal(await rejection(turn.id), reason);
  assert.equal(fixture.server.calls("turn/start").length, 0);
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});

test("a turn aborted before the reply to its start is stopped on the server all the same", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  server.on("turn/interrupt", () => ({}));
  const controller = new AbortController();
  const turn = thread.run("go", { signal: controller.signal });
  const watched = watch(turn);
  const start = await server.waitFor("turn/start");
  controller.abort(reason);
  server.reply(start, running("t1"));
  assert.deepEqual((await server.waitFor("turn/interrupt")).params, { threadId: "thread", turnId: "t1" });
  await tick();
  assert.equal(watched.settled, 0, "it waits for the turn's end");
  server.play("t1", ends("t1", "interrupted"));
  assert.equal(await watched.outcome, reason);
  assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
});

test("a turn aborted in its middle rejects when it has ended on the server, not before", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  server.on("turn/start", () => running("t1")).on("turn/interrupt", () => ({}));
  const controller = new AbortController();
  const turn = thread.run("go", { signal: controller.signal });
  const watched = watch(turn);
  const events = collect(turn);
  await turn.id;
  server.play("t1", delta("a", "so far"));
  controller.abort(reason);
  await server.waitFor("turn/interrupt");
  await tick();
  assert.equal(watched.settled, 0);
  server.play("t1", ends("t1", "interrupted"));
  assert.equal(await watched.outcome, reason);
  assert.deepEqual(kinds(await events), ["agentMessage.delta", "turn.completed"]);
  assert.equal(server.calls("turn/interrupt").length, 1);
  assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
});

test("an abort is not held up for ever by a server that ignores it", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  server.on("turn/start", () => running("t1")).on("turn/interrupt", () => ({}));
  const controller = new AbortController();
  const turn = thread.run("go", { signal: controller.signal });
  const iterated = rejection(collect(turn));
  await turn.id;
  controller.abort(reason);
  assert.equal(await rejection(turn), reason);
  assert.equal(await iterated, reason, "nor do iterators wait for an end that does not come");
});

test("an abort whose connection is lost meanwhile still rejects with the signal's reason", async () => {
  await using fixture = await rig();
  const { server, thread, serverEnd } = fixture;
  server.on("turn/start", () => running("t1"));
  const controller = new AbortController();
  const turn = thread.run("go", { signal: controller.signal });
  await turn.id;
  controller.abort(reason);
  await server.waitFor("turn/interrupt");
  await serverEnd.close();
  assert.equal(await rejection(turn), reason);
  assert.ok(ConnectionError.is(await rejection(collect(turn))));
});

test("an abort after the end changes nothing and sends nothing", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  server.on("turn/start", (_, id) => {
    server.reply({ id }, running("t1"));
    server.play("t1", ...wholeTurn("t1", "done"));
    return undefined;
  });
  const controller = new AbortController();
  const turn = thread.run("go", { signal: controller.signal });
  await turn;
  controller.abort(reason);
  assert.equal((await turn).agentMessage, "done");
  await turn.interrupt();
  assert.equal(server.calls("turn/interrupt").length, 0);
});

test("one signal stops 500 turns, each once, and no runtime warns of its listeners", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  stopOnInterrupt(server);
  const controller = new AbortController();
  const turns = Array.from({ length: 500 }, (_, n) =>
    client.handle(`thread-${n}`).run("go", { signal: controller.signal }),
  );
  await Promise.all(turns.map((turn) => turn.id));
  controller.abort(reason);
  for (const outcome of await Promise.allSettled(turns)) {
    assert.ok(outcome.status === "rejected" && outcome.reason === reason);
  }
  const stopped = server.calls("turn/interrupt").map(({ params }) => (params as { turnId: string }).turnId);
  assert.equal(new Set(stopped).size, 500);
  assert.equal(stopped.length, 500);
  assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
});

/** Turns run until they are interrupted. */
function stopOnInterrupt(server: HandServer): void {
  server.on("turn/start", ({ threadId }: { threadId: string }) => running(`turn of ${threadId}`));
  server.on("turn/interrupt", ({ threadId, turnId }: { threadId: string; turnId: string }, id) => {
    server.reply({ id }, {});
    server.notify("turn/completed", { threadId, turn: wireTurn(turnId, "interrupted") });
    return undefined;
  });
}

test("an abort that races the end of its turn settles once in 1,000 rounds, and stops the turn at most once", async () => {
  const chance = random(11);
  await using fixture = await rig();
  const { client, server, thread } = fixture;
  const over = new Set<string>();
  let ended = gate();
  client.on("turn:completed", () => ended.open());
  server.on("turn/start", () => running(`t${server.calls("turn/start").length}`));
  server.on("turn/interrupt", ({ turnId }: { turnId: string }, id) => {
    if (over.has(turnId)) return server.refuse({ id }, { code: -32600, message: "no active turn to interrupt" });
    over.add(turnId);
    server.reply({ id }, {});
    server.play(turnId, ends(turnId, "interrupted"));
  });
  const outcomes = { completed: 0, aborted: 0 };
  for (let round = 1; round <= 1000; round++) {
    ended = gate();
    const controller = new AbortController();
    const turn = thread.run("go", { signal: controller.signal });
    const watched = watch(turn);
    const finish = async () => {
      for (let ticks = chance.int(0, 4); ticks > 0; ticks--) await tick();
      const id = `t${round}`;
      if (over.has(id)) return;
      over.add(id);
      server.play(id, ...wholeTurn(id, "done"));
    };
    const abort = async () => {
      // Either some turns of the event loop after the start, or some microtasks after the client has seen the end.
      if (chance.chance()) for (let ticks = chance.int(0, 6); ticks > 0; ticks--) await tick();
      else await ended;
      for (let steps = chance.int(0, 12); steps > 0; steps--) await undefined;
      controller.abort(reason);
    };
    await Promise.all([finish(), abort()]);
    const outcome = await watched.outcome;
    if (outcome === reason) outcomes.aborted++;
    else if ((outcome as { status?: string }).status === "completed") outcomes.completed++;
    else assert.fail(`round ${round}: ${String(outcome)}`);
    assert.equal(watched.settled, 1);
    assert.deepEqual(getEventListeners(controller.signal, "abort"), []);
  }
  const stopped = server.calls("turn/interrupt").map(({ params }) => (params as { turnId: string }).turnId);
  assert.equal(new Set(stopped).size, stopped.length, "a turn was interrupted twice");
  assert.ok(outcomes.completed > 0 && outcomes.aborted > 0, JSON.stringify(outcomes));
});
