/** What the wire may do to messages without a user losing one. */
import assert from "node:assert/strict";
import { CodexClient, ConnectionError } from "@quire/client";
import { eventually, random } from "@quire/testkit";
import { appServer } from "./support/child.ts";
import { collect, delta, kinds, said, wholeTurn, wireTurn } from "./support/events.ts";
import { rig } from "./support/hand-server.ts";
import { rejection, test, tick } from "./support/test.ts";

const awkward = 'ünï © 👍 \u2028 \u2029 \u0000 \\ " \r\n end';

for (const megabytes of [1, 8, 64]) {
  test(`a message of ${megabytes} MB arrives whole, there and back, over the pipes of a child`, async () => {
    await using client = await CodexClient.spawn({ command: appServer() });
    const text = `${"x".repeat(megabytes * 1024 * 1024 - 100)}${awkward}`;
    const [echoed, small] = await Promise.all([
      client.requestUntyped("echo", { text }),
      client.requestUntyped("echo", { text: "small" }),
    ]);
    assert.ok((echoed as { text: string }).text === text, "the text has changed");
    assert.deepEqual(small, { text: "small" }, "a small call behind a large one");
  });
}

test("a message over the limit ends the connection with an error that names the limit, not in a hang", async () => {
  await using client = await CodexClient.spawn({ command: appServer(), maxMessageBytes: 1000 });
  const error = await rejection(client.requestUntyped("echo", { text: "x".repeat(2000) }));
  assert.ok(ConnectionError.is(error));
  assert.equal(error.code, "invalid-message");
  assert.match(error.message, /1000 bytes.*maxMessageBytes/);
});

test("separators, quotes, emoji and nulls stay what they are when every chunk holds one byte", async () => {
  await using fixture = await rig({ bytes: { toClient: { split: "every-byte" }, toServer: { split: "every-byte" } } });
  const { client, server, thread } = fixture;
  server.on("echo", (params) => params);
  assert.deepEqual(await client.requestUntyped("echo", { awkward }), { awkward });
  server.on("turn/start", ({ input }: { input: [{ text: string }] }, id) => {
    assert.equal(input[0].text, awkward);
    server.reply({ id }, { turn: wireTurn("t1", "inProgress") });
    server.play("t1", ...wholeTurn("t1", awkward));
    return undefined;
  });
  const turn = thread.run(awkward);
  const events = await collect(turn);
  assert.equal((await turn).agentMessage, awkward);
  const deltas = events.map((event) => (event.type === "agentMessage.delta" ? event.delta : ""));
  assert.equal(deltas.join(""), awkward);
});

test("no event is lost wherever chunks end, or with junk between the lines, which is warned of", async () => {
  const noise = random(7);
  await using fixture = await rig({ bytes: { toClient: { split: random(8), junk: noise } } });
  const { server, thread, warnings } = fixture;
  let count = 0;
  server.on("turn/start", (_, id) => {
    const turnId = `t${count++}`;
    server.reply({ id }, { turn: wireTurn(turnId, "inProgress") });
    server.play(turnId, ...wholeTurn(turnId, awkward));
    return undefined;
  });
  for (let round = 0; round < 30; round++) {
    const events = await collect(thread.run("go"));
    assert.deepEqual(kinds(events), [
      "turn.started",
      "item.started",
      "agentMessage.delta",
      "item.completed",
      "turn.completed",
    ]);
  }
  assert.ok(warnings.length > 0);
  assert.ok(warnings.every(({ code, details }) => code === "malformed" && typeof details === "string"));
});

test("a banner that a server prints before it speaks the protocol is a warning, not the end", async () => {
  const client = new CodexClient({ command: appServer("banner") });
  const skipped: unknown[] = [];
  client.on("warning", ({ code, details }) => skipped.push([code, details]));
  await client.connect();
  await client.close();
  assert.deepEqual(skipped, [
    ["malformed", "Welcome to the server!"],
    ["malformed", "listening…"],
  ]);
});

test("a reply that nobody waits for, and a second reply, disturb nothing", async () => {
  await using fixture = await rig();
  const { client, server, warnings } = fixture;
  for (const id of [987_654, "no-such-id", -1, 1.5]) server.send({ id, result: {} });
  server.send({ id: 123_456, error: { code: -32600, message: "to nobody" } });
  server.on("twice", (_, id) => {
    server.reply({ id }, { first: true });
    return { second: true };
  });
  assert.deepEqual(await client.requestUntyped("twice", {}), { first: true });
  assert.deepEqual(await client.requestUntyped("twice", {}), { first: true });
  assert.deepEqual(warnings, []);
});

test("a reply without result and error rejects its call alone, and says that the call may have run", async () => {
  await using fixture = await rig();
  const { client, server } = fixture;
  server.on("bad", (_, id) => server.send({ id }));
  server.on("good", () => ({ fine: true }));
  const [bad, good] = await Promise.allSettled([client.requestUntyped("bad", {}), client.requestUntyped("good", {})]);
  assert.ok(bad.status === "rejected" && ConnectionError.is(bad.reason));
  assert.equal(bad.reason.code, "invalid-message");
  assert.equal(bad.reason.mayHaveRun, true);
  assert.deepEqual(good, { status: "fulfilled", value: { fine: true } });
});

const misshapen: readonly (readonly [method: string, params?: unknown])[] = [
  ["item/started"],
  ["item/started", null],
  ["item/started", { threadId: "thread", turnId: "t1" }],
  ["item/started", { threadId: "thread", turnId: "t1", item: null }],
  ["item/started", { threadId: "thread", turnId: "t1", item: { type: "plan" } }],
  ["item/completed", { threadId: "thread", turnId: "t1", item: { id: 5 } }],
  ["item/completed", []],
  ["item/completed", "text"],
  ["item/agentMessage/delta", { threadId: "thread", turnId: "t1", itemId: "a" }],
  ["item/agentMessage/delta", { threadId: "thread", turnId: "t1", itemId: "a", delta: 5 }],
  ["item/commandExecution/outputDelta", { threadId: "thread", turnId: "t1", itemId: "a", delta: null }],
  ["turn/started"],
  ["turn/started", { threadId: "thread", turn: 5 }],
  ["turn/completed", { threadId: "thread", turn: "t1" }],
  ["turn/diff/updated", { threadId: "thread", turnId: "t1", diff: {} }],
  ["turn/plan/updated", { threadId: "thread", turnId: "t1", plan: "none" }],
  ["thread/tokenUsage/updated", { threadId: "thread", turnId: "t1", tokenUsage: 7 }],
  ["thread/started"],
  ["thread/started", { thread: null }],
  ["thread/status/changed", { threadId: "thread", status: "idle" }],
  ["error", { threadId: "thread", turnId: "t1", error: null, willRetry: false }],
];

test("a notification that is not shaped as it should be reaches no listener and no turn, and is warned of", async () => {
  await using fixture = await rig();
  const { client, server, thread, warnings } = fixture;
  const heard: unknown[] = [];
  for (const event of [
    "item:started",
    "item:completed",
    "item:agentMessage:delta",
    "item:commandExecution:outputDelta",
    "turn:started",
    "turn:diff:updated",
    "turn:plan:updated",
    "thread:started",
  ] as const)
    client.on(event, (data) => heard.push([event, data]));
  const turn = thread.run("go");
  const events = collect(turn);
  const start = await server.waitFor("turn/start");
  server.reply(start, { turn: wireTurn("t1", "inProgress") });
  await turn.id;
  for (const [method, params] of misshapen) server.notify(method, params);
  await eventually(() => warnings.length >= misshapen.length, { what: "a warning for each", intervalMs: 1 }).catch(
    () => undefined,
  );
  const left = warnings.map(({ details }) => details as { method: string; params: unknown });
  assert.deepEqual(
    left.map(({ method, params }) => [method, params]),
    misshapen.map(([method, params]) => [method, params]),
  );
  assert.ok(warnings.every(({ code }) => code === "invalid-message"));
  assert.deepEqual(heard, []);
  const message = said("t1-msg", "still here");
  server.play("t1", delta(message.id, "still"), ["item/completed", { item: message }]);
  server.notify("turn/completed", { threadId: "thread", turn: wireTurn("t1", "completed") });
  assert.equal((await turn).agentMessage, "still here");
  assert.deepEqual(kinds(await events), ["agentMessage.delta", "item.completed", "turn.completed"]);
  await tick();
});
