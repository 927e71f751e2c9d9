/** Two servers on one home: each shows what the other has done, and takes nothing away from under it. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { gate, reply } from "@quire/testkit";
import { input, type TestClient } from "../support/test-client.ts";
import { testHome } from "../support/test-server.ts";

async function say(client: TestClient, threadId: string, text: string) {
  const { turn } = await client.request("turn/start", { threadId, input: input(text) });
  return (await client.waitFor("turn/completed", (told) => told.turn.id === turn.id)).turn;
}

const ids = (list: { data: { id: string }[] }): string[] => list.data.map(({ id }) => id);

test("a thread that another server's turn runs on is neither moved nor deleted, and nothing of the turn is lost", async () => {
  await using home = await testHome();
  const [{ client: one }, { client: other, close }] = [await home.open(), await home.open()];
  const threadId = await one.thread();
  home.model.script(reply().text("before"));
  await say(one, threadId, "a");
  await other.request("thread/resume", { threadId });
  const held = gate();
  home.model.script(reply().text(["x ", held, "y"]));
  const { turn } = await one.request("turn/start", { threadId, input: input("b") });
  await one.waitFor("turn/started", (told) => told.turn.id === turn.id);
  for (const method of ["thread/archive", "thread/delete"]) {
    await assert.rejects(other.request(method, { threadId }), /is being written by another process/, method);
  }
  assert.deepEqual((await other.request("thread/loaded/list", {})).data, [threadId]);
  held.open();
  await one.waitFor("turn/completed", (told) => told.turn.id === turn.id);
  await close();
  const { client: third } = await home.open();
  const { thread } = await third.request("thread/read", { threadId, includeTurns: true });
  assert.deepEqual(
    thread.turns.map(({ status }: { status: string }) => status),
    ["completed", "completed"],
  );
});

test("who has a thread loaded sees what another server has added to it, named it, and where it has put it", async () => {
  await using home = await testHome();
  home.model.fallback(() => reply().text("ok"));
  const [{ client: one }, { client: other }] = [await home.open(), await home.open()];
  const threadId = await one.thread();
  await say(one, threadId, "a");
  await other.request("thread/resume", { threadId });
  await say(other, threadId, "b");
  await other.request("thread/name/set", { threadId, name: "Named there" });

  assert.equal((await one.request("thread/list", {})).data[0].name, "Named there");
  assert.equal((await one.request("thread/read", { threadId, includeTurns: true })).thread.turns.length, 2);
  assert.equal((await one.request("thread/turns/list", { threadId })).data.length, 2);
  assert.equal((await one.request("thread/resume", { threadId })).thread.turns.length, 2);
  assert.equal((await one.request("thread/fork", { threadId })).thread.turns.length, 2);
  await say(one, threadId, "c");
  assert.equal((await other.request("thread/items/list", { threadId })).data.length, 6);

  await other.request("thread/archive", { threadId });
  assert.ok(!ids(await one.request("thread/list", {})).includes(threadId));
  assert.match((await one.request("thread/read", { threadId })).thread.path, /archived_sessions/);
  await other.request("thread/unarchive", { threadId });
  assert.ok(existsSync((await one.request("thread/read", { threadId })).thread.path));
});

test("a thread that another server has deleted cannot be gone on with, and the error says what can be done", async () => {
  await using home = await testHome();
  home.model.fallback(() => reply().text("ok"));
  const [{ client: one }, { client: other }] = [await home.open(), await home.open()];
  const threadId = await one.thread();
  await say(one, threadId, "a");
  await other.request("thread/delete", { threadId });
  assert.deepEqual(ids(await one.request("thread/list", {})), []);
  const refused = { code: -32600, message: /no rollout found for thread id .* fork the thread/ };
  await assert.rejects(one.request("turn/start", { threadId, input: input("b") }), refused);
  const { thread } = await one.request("thread/fork", { threadId });
  assert.equal((await say(one, thread.id, "b")).status, "completed");
  assert.equal((await one.request("thread/read", { threadId: thread.id, includeTurns: true })).thread.turns.length, 2);
});
