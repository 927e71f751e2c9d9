/** Two servers on one home: each shows what the other has done, and takes nothing away from under it. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { gate, reply } from "@quire/testkit";
import { house, input } from "../support/house.ts";
import type { Talk } from "../support/talk.ts";

async function say(talk: Talk, threadId: string, text: string) {
  const { turn } = await talk.call("turn/start", { threadId, input: input(text) });
  return (await talk.told("turn/completed", (told) => told.turn.id === turn.id)).turn;
}

const ids = (list: { data: { id: string }[] }): string[] => list.data.map(({ id }) => id);

test("a thread that another server's turn runs on is neither moved nor deleted, and nothing of the turn is lost", async () => {
  await using home = await house();
  const [{ talk: one }, { talk: other, end }] = [await home.open(), await home.open()];
  const threadId = await one.thread();
  home.model.script(reply().text("before"));
  await say(one, threadId, "a");
  await other.call("thread/resume", { threadId });
  const held = gate();
  home.model.script(reply().text(["x ", held, "y"]));
  const { turn } = await one.call("turn/start", { threadId, input: input("b") });
  await one.told("turn/started", (told) => told.turn.id === turn.id);
  for (const method of ["thread/archive", "thread/delete"]) {
    await assert.rejects(other.call(method, { threadId }), /is being written by another process/, method);
  }
  assert.deepEqual((await other.call("thread/loaded/list", {})).data, [threadId]);
  held.open();
  await one.told("turn/completed", (told) => told.turn.id === turn.id);
  await end();
  const { talk: third } = await home.open();
  const { thread } = await third.call("thread/read", { threadId, includeTurns: true });
  assert.deepEqual(
    thread.turns.map(({ status }: { status: string }) => status),
    ["completed", "completed"],
  );
});

test("who has a thread loaded sees what another server has added to it, named it, and where it has put it", async () => {
  await using home = await house();
  home.model.fallback(() => reply().text("ok"));
  const [{ talk: one }, { talk: other }] = [await home.open(), await home.open()];
  const threadId = await one.thread();
  await say(one, threadId, "a");
  await other.call("thread/resume", { threadId });
  await say(other, threadId, "b");
  await other.call("thread/name/set", { threadId, name: "Named there" });

  assert.equal((await one.call("thread/list", {})).data[0].name, "Named there");
  assert.equal((await one.call("thread/read", { threadId, includeTurns: true })).thread.turns.length, 2);
  assert.equal((await one.call("thread/turns/list", { threadId })).data.length, 2);
  assert.equal((await one.call("thread/resume", { threadId })).thread.turns.length, 2);
  assert.equal((await one.call("thread/fork", { threadId })).thread.turns.length, 2);
  await say(one, threadId, "c");
  assert.equal((await other.call("thread/items/list", { threadId })).data.length, 6);

  await other.call("thread/archive", { threadId });
  assert.ok(!ids(await one.call("thread/list", {})).includes(threadId));
  assert.match((await one.call("thread/read", { threadId })).thread.path, /archived_sessions/);
  await other.call("thread/unarchive", { threadId });
  assert.ok(existsSync((await one.call("thread/read", { threadId })).thread.path));
});

test("a thread that another server has deleted cannot be gone on with, and the error says what can be done", async () => {
  await using home = await house();
  home.model.fallback(() => reply().text("ok"));
  const [{ talk: one }, { talk: other }] = [await home.open(), await home.open()];
  const threadId = await one.thread();
  await say(one, threadId, "a");
  await other.call("thread/delete", { threadId });
  assert.deepEqual(ids(await one.call("thread/list", {})), []);
  const refused = { code: -32600, message: /no rollout found for thread id .* fork the thread/ };
  await assert.rejects(one.call("turn/start", { threadId, input: input("b") }), refused);
  const { thread } = await one.call("thread/fork", { threadId });
  assert.equal((await say(one, thread.id, "b")).status, "completed");
  assert.equal((await one.call("thread/read", { threadId: thread.id, includeTurns: true })).thread.turns.length, 2);
});
