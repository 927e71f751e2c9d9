import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, gate, reply } from "@quire/testkit";
import { input } from "../support/test-client.ts";
import { testHome } from "../support/test-server.ts";

const words = (entry: { input: { text: string }[] }) => entry.input[0]?.text;

test("queued messages are answered in the user's order, one turn each", async () => {
  await using place = await testHome();
  const { client, connect } = await place.open();
  const stranger = await connect();
  const threadId = await client.thread();
  const held = gate();
  place.model.script(reply().gate(held).text("slow"));
  await client.request("turn/start", { threadId, input: input("first") });
  await place.model.waitForRequest(0);
  for (const text of ["two", "three"])
    await client.request("thread/queue/add", { threadId, clientUserMessageId: text, input: input(text) });
  const { data } = await client.request("thread/queue/list", { threadId });
  assert.deepEqual(data.map(words), ["two", "three"]);
  const queuedSubmissionIds = data.map(({ id }: { id: string }) => id).reverse();
  await client.request("thread/queue/reorder", { threadId, queuedSubmissionIds });
  held.open();
  await eventually(() => client.received.filter(({ method }) => method === "turn/completed").length === 3);
  assert.deepEqual(
    place.model.requests.map(({ lastUserText }) => lastUserText),
    ["first", "three", "two"],
  );
  assert.deepEqual((await client.request("thread/queue/list", { threadId })).data, []);
  assert.ok(!stranger.received.some(({ method }) => method === "thread/queue/changed"));
});

test("a message that was queued before the server ended is answered when its thread is resumed", async () => {
  await using place = await testHome();
  const first = await place.open();
  const threadId = await first.client.thread();
  await first.client.turn(threadId);
  await first.close();
  const second = await place.open();
  await second.client.request("thread/queue/add", { threadId, clientUserMessageId: "m", input: input("later") });
  await second.close();
  const { client } = await place.open();
  assert.deepEqual((await client.request("thread/queue/list", { threadId })).data.map(words), ["later"]);
  await client.request("thread/resume", { threadId });
  await client.waitFor("turn/completed");
  assert.equal(place.model.last.lastUserText, "later");
  assert.deepEqual((await client.request("thread/queue/list", { threadId })).data, []);
});

test("after an interrupt what waits goes on waiting until it is started", async () => {
  await using place = await testHome();
  const { client } = await place.open();
  const threadId = await client.thread();
  const held = gate();
  place.model.script(reply().gate(held).text("slow"));
  const { turn } = await client.request("turn/start", { threadId, input: input("first") });
  await place.model.waitForRequest(0);
  await client.request("thread/queue/add", { threadId, clientUserMessageId: "m", input: input("waits") });
  await client.request("turn/interrupt", { threadId, turnId: turn.id });
  await client.waitFor("turn/completed");
  held.open();
  assert.deepEqual((await client.request("thread/queue/list", { threadId })).data.map(words), ["waits"]);
  const { turn: next } = await client.request("thread/queue/start", { threadId });
  await client.waitFor("turn/completed", (ended) => ended.turn.id === next.id);
  assert.equal(place.model.last.lastUserText, "waits");
});
