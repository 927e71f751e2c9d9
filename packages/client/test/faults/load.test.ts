/** Many turns, many consumers, slow ones among them: nobody misses what is theirs, nobody holds up another. */
import assert from "node:assert/strict";
import { gate, random } from "@quire/testkit";
import { collect, delta, ends, kinds, started, wholeTurn, wireTurn } from "./support/events.ts";
import { rig } from "./support/hand-server.ts";
import { test, tick } from "./support/test.ts";

const running = (id: string) => ({ turn: wireTurn(id, "inProgress") });
const numbers = (length: number) => Array.from({ length }, (_, n) => n);

test("500 turns at once on 500 threads: each gets its own events and no other", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  // As with Codex 0.98, all turns have the same id: only the thread tells them apart.
  server.on("turn/start", () => running("0"));
  const turns = numbers(500).map((n) => client.handle(`thread-${n}`).run("go"));
  const events = turns.map((turn) => collect(turn));
  await Promise.all(turns.map((turn) => turn.id));
  const steps = wholeTurn("0", "");
  for (const [method, params] of steps) {
    for (const n of random(3).shuffle(numbers(500))) {
      const own = JSON.parse(JSON.stringify(params).replaceAll('"text":""', `"text":"${n}"`)) as object;
      server.notify(method, { turnId: "0", ...own, threadId: `thread-${n}` });
    }
  }
  for (const [n, turn] of turns.entries()) assert.equal((await turn).agentMessage, String(n));
  for (const each of await Promise.all(events)) assert.equal(each.length, steps.length);
});

test("500 turns asked for at once on one thread run one after the other, each with its own events", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  let open = 0;
  server.on("turn/start", ({ input }: { input: { text: string }[] }) => {
    const id = `turn ${input[0]?.text}`;
    assert.equal(++open, 1, "no turn begins before the one before it has ended");
    queueMicrotask(() => {
      open--;
      server.play(id, ...wholeTurn(id, `of ${id}`));
    });
    return running(id);
  });
  const turns = numbers(500).map((n) => thread.run(String(n)));
  for (const [n, turn] of turns.entries()) {
    assert.equal((await turn).agentMessage, `of turn ${n}`);
    assert.equal((await collect(turn)).length, 5);
  }
});

test("events of many turns in any order, each before or after the reply that names its turn, find their turn", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  const chance = random(5);
  const turns = numbers(500).map((n) => client.handle(`thread ${n}`).run("go"));
  const starts = await Promise.all(numbers(500).map((n) => server.waitFor("turn/start", n)));
  const queues = starts.map((start, n) => {
    const { threadId } = start.params as { threadId: string };
    const events = wholeTurn("t1", `of ${n}`).map(
      (event) => () => server.notify(event[0], { turnId: "t1", ...event[1], threadId }),
    );
    const at = chance.int(0, events.length);
    return [...events.slice(0, at), () => server.reply(start, running("t1")), ...events.slice(at)];
  });
  const order = chance.shuffle(queues.flatMap((queue, n) => queue.map(() => n)));
  for (const [step, n] of order.entries()) {
    queues[n]?.shift()?.();
    if (step % 97 === 0) await tick();
  }
  for (const [n, turn] of turns.entries()) {
    assert.equal((await turn).agentMessage, `of ${n}`);
    assert.equal((await collect(turn)).length, 5);
  }
});

test("a turn that the server takes as steering of one that runs already ends with that one", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  server.on("turn/start", () => running("t1"));
  const turn = thread.run("go");
  await turn.id;
  server.play("t1", ...wholeTurn("t1", "for all"));
  assert.equal((await turn).agentMessage, "for all");
});

test("1,000 calls at once get their own replies, in whatever order these come", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  const calls = numbers(1000).map((n) => client.requestUntyped("echo", { n }));
  const last = await server.waitFor("echo", 999);
  assert.deepEqual(last.params, { n: 999 });
  for (const call of random(9).shuffle(server.calls("echo"))) server.reply(call, call.params);
  assert.deepEqual(
    await Promise.all(calls),
    numbers(1000).map((n) => ({ n })),
  );
});

const deltas = 25_000;

test("a slow consumer learns how much it missed; a fast one, and the result, miss nothing", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  server.on("turn/start", () => running("t1"));
  const turn = thread.run("go");
  const over = gate();
  const fast = collect(turn);
  const slow = (async () => {
    const seen: string[] = [];
    let missed = 0;
    for await (const event of turn) {
      if (seen.length === 0) await over;
      seen.push(event.type);
      if (event.type === "lagged") missed += event.missed;
    }
    return { seen, missed };
  })();
  await turn.id;
  server.play("t1", started("t1"));
  for (let sent = 0; sent < deltas; sent++) {
    server.play("t1", delta("a", "x"));
    // In batches of very different sizes: a prompt reader must not depend on how messages are bundled.
    if (sent % 1000 === 0 && sent < 5000) await tick();
  }
  server.play("t1", ends("t1"));
  const total = deltas + 2;
  assert.equal((await turn).agentMessage.length, deltas, "a consumer that does not read holds up nobody");
  assert.equal((await fast).length, total);
  assert.ok(!kinds(await fast).includes("lagged"));
  over.open();
  const { seen, missed } = await slow;
  assert.equal(seen.filter((type) => type === "lagged").length, 1);
  assert.ok(missed > 0);
  assert.equal(seen.length - 1 + missed, total, "what it saw and what it missed add up");
  assert.equal(seen.at(-1), "turn.completed");
});

test("several consumers each see all events from the first on, also one that comes after the end", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  server.on("turn/start", () => running("t1"));
  const turn = thread.run("go");
  const early = [collect(turn), collect(turn)];
  await turn.id;
  const [first, ...rest] = wholeTurn("t1", "hello");
  if (first) server.play("t1", first);
  await tick();
  const midway = collect(turn);
  server.play("t1", ...rest);
  const all = await Promise.all([...early, midway, turn.then(() => collect(turn))]);
  for (const events of all) assert.deepEqual(events, all[0]);
  assert.equal(all[0]?.length, 5);
});

test("a consumer that stops early takes nothing from the others or from the result", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  server.on("turn/start", () => running("t1"));
  const turn = thread.run("go");
  const other = collect(turn);
  await turn.id;
  server.play("t1", ...wholeTurn("t1", "hello"));
  for await (const { type } of turn) if (type === "turn.started") break;
  await assert.rejects(async () => {
    for await (const _ of turn) throw new Error("in the loop");
  }, /in the loop/);
  assert.equal((await other).length, 5);
  assert.equal((await turn).agentMessage, "hello");
});

test("a thread's events are heard from the call on, and stop with the consumer", async () => {
  await using fixture = await rig();
  const { server, thread } = fixture;
  const events = thread.events();
  server.play("t1", ...wholeTurn("t1", "hello"));
  await tick();
  await tick();
  const seen: string[] = [];
  for await (const { method } of events) {
    seen.push(method);
    if (method === "turn/completed") break;
  }
  assert.equal(seen.length, 5);
  const controller = new AbortController();
  const waiting = thread.events({ signal: controller.signal }).next();
  controller.abort();
  assert.equal((await waiting).done, true);
});
