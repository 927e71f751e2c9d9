import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, gate, reply } from "@quire/testkit";
import { house, input } from "../support/house.ts";

const words = (entry: { input: { text: string }[] }) => entry.input[0]?.text;

test("queued messages are answered in the user's order, one turn each", async () => {
  await using place = await house();
  const { talk, other } = await place.open();
  const stranger = await other();
  const threadId = await talk.thread();
  const held = gate();
  place.model.script(reply().gate(held).text("slow"));
  await talk.call("turn/start", { threadId, input: input("first") });
  await place.model.waitForRequest(0);
  for (const text of ["two", "three"])
    await talk.call("thread/queue/add", { threadId, clientUserMessageId: text, input: input(text) });
  const { data } = await talk.call("thread/queue/list", { threadId });
  assert.deepEqual(data.map(words), ["two", "three"]);
  const queuedSubmissionIds = data.map(({ id }: { id: string }) => id).reverse();
  await talk.call("thread/queue/reorder", { threadId, queuedSubmissionIds });
  held.open();
  await eventually(() => talk.heard.filter(({ method }) => method === "turn/completed").length === 3);
  assert.deepEqual(
    place.model.requests.map(({ lastUserText }) => lastUserText),
    ["first", "three", "two"],
  );
  assert.deepEqual((await talk.call("thread/queue/list", { threadId })).data, []);
  assert.ok(!stranger.heard.some(({ method }) => method === "thread/queue/changed"));
});

test("a message that was queued before the server ended is answered when its thread is resumed", async () => {
  await using place = await house();
  const first = await place.open();
  const threadId = await first.talk.thread();
  await first.talk.turn(threadId);
  await first.end();
  const second = await place.open();
  await second.talk.call("thread/queue/add", { threadId, clientUserMessageId: "m", input: input("later") });
  await second.end();
  const { talk } = await place.open();
  assert.deepEqual((await talk.call("thread/queue/list", { threadId })).data.map(words), ["later"]);
  await talk.call("thread/resume", { threadId });
  await talk.told("turn/completed");
  assert.equal(place.model.last.lastUserText, "later");
  assert.deepEqual((await talk.call("thread/queue/list", { threadId })).data, []);
});

test("after an interrupt what waits goes on waiting until it is started", async () => {
  await using place = await house();
  const { talk } = await place.open();
  const threadId = await talk.thread();
  const held = gate();
  place.model.script(reply().gate(held).text("slow"));
  const { turn } = await talk.call("turn/start", { threadId, input: input("first") });
  await place.model.waitForRequest(0);
  await talk.call("thread/queue/add", { threadId, clientUserMessageId: "m", input: input("waits") });
  await talk.call("turn/interrupt", { threadId, turnId: turn.id });
  await talk.told("turn/completed");
  held.open();
  assert.deepEqual((await talk.call("thread/queue/list", { threadId })).data.map(words), ["waits"]);
  const { turn: next } = await talk.call("thread/queue/start", { threadId });
  await talk.told("turn/completed", (ended) => ended.turn.id === next.id);
  assert.equal(place.model.last.lastUserText, "waits");
});
