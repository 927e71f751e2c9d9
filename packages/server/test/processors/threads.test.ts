/** What the methods of threads refuse, and where their pages begin. */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { type House, house, input } from "../support/house.ts";
import type { Talk } from "../support/talk.ts";

async function say(talk: Talk, threadId: string, text: string): Promise<void> {
  const { turn } = await talk.call("turn/start", { threadId, input: input(text) });
  await talk.told("turn/completed", (told) => told.turn.id === turn.id);
}

async function opened(home: House): Promise<Talk> {
  home.model.fallback(() => reply().text("ok"));
  return (await home.open()).talk;
}

test("pages of loaded threads go on where they were when a thread between is unloaded, and do not begin anew", async () => {
  await using home = await house();
  const talk = await opened(home);
  const ids = [await talk.thread(), await talk.thread(), await talk.thread()].sort();
  const page = await talk.call("thread/loaded/list", { limit: 2 });
  assert.deepEqual(page, { data: ids.slice(0, 2), nextCursor: ids[1] });
  await talk.call("thread/archive", { threadId: ids[1] });
  const next = await talk.call("thread/loaded/list", { limit: 2, cursor: page.nextCursor });
  assert.deepEqual(next, { data: [ids[2]], nextCursor: null });
  await assert.rejects(talk.call("thread/loaded/list", { cursor: "nope" }), {
    code: -32600,
    message: /invalid cursor/,
  });
});

test("malformed items are not injected, and those of no known kind never reach the model", async () => {
  await using home = await house();
  const talk = await opened(home);
  const threadId = await talk.thread();
  const message = { type: "message", role: "user", content: [{ type: "input_text", text: "injected" }] };
  const malformed = [
    { type: "message" },
    { type: "message", role: "user", content: "x" },
    { type: "function_call" },
    { type: 5 },
    { role: "user" },
    null,
    5,
  ];
  for (const item of malformed) {
    const refused = { code: -32600, message: /items\[1\] is not a valid response item/ };
    await assert.rejects(talk.call("thread/inject_items", { threadId, items: [message, item] }), refused);
  }
  await talk.call("thread/inject_items", { threadId, items: [{ type: "of_tomorrow" }, message, { type: "other" }] });
  await talk.call("thread/inject_items", { threadId, items: [{ type: "of_tomorrow" }] });
  await say(talk, threadId, "go");
  const sent = JSON.stringify(home.model.requests.at(-1)?.body.input);
  assert.equal(sent.split('"injected"').length, 2);
  assert.doesNotMatch(sent, /of_tomorrow|"other"/);
});

test("a path is one below the home; a copy of a rollout and an archived one are not gone on with", async () => {
  await using home = await house();
  const talk = await opened(home);
  const { thread } = await talk.call("thread/start", {});
  const threadId = thread.id;
  await say(talk, threadId, "a");
  const copy = join(home.home, "copy.jsonl");
  copyFileSync(thread.path, copy);
  const { talk: other } = await home.open();
  const inHome = relative(home.home, thread.path);
  assert.equal((await other.call("thread/resume", { threadId, path: inHome })).thread.id, threadId);
  const { talk: third } = await home.open();
  const stored = { code: -32600, message: /is stored in .*; resume it without a path/ };
  await assert.rejects(third.call("thread/resume", { threadId, path: copy }), stored);
  assert.equal((await third.call("thread/fork", { threadId, path: copy })).thread.turns.length, 1);
  await third.call("thread/archive", { threadId });
  const path = (await third.call("thread/read", { threadId })).thread.path;
  await assert.rejects(third.call("thread/resume", { threadId, path }), { code: -32600, message: /is archived/ });
});

test("git information of an archived thread can be set; its name stays", async () => {
  await using home = await house();
  const talk = await opened(home);
  const threadId = await talk.thread({ cwd: home.home });
  await say(talk, threadId, "a");
  await talk.call("thread/archive", { threadId });
  const { thread } = await talk.call("thread/metadata/update", { threadId, gitInfo: { sha: "abc" } });
  assert.deepEqual(thread.gitInfo, { sha: "abc", branch: null, originUrl: null });
  const [listed] = (await talk.call("thread/list", { archived: true })).data;
  assert.deepEqual([listed.id, listed.gitInfo.sha], [threadId, "abc"]);
  await assert.rejects(talk.call("thread/name/set", { threadId, name: "N" }), { code: -32600 });
});

test("turns are rolled back by whole numbers, and no further than to the first", async () => {
  await using home = await house();
  const talk = await opened(home);
  const threadId = await talk.thread();
  for (const text of ["a", "b", "c"]) await say(talk, threadId, text);
  for (const numTurns of [0, -1, 1.5, "1", null]) {
    await assert.rejects(talk.call("thread/rollback", { threadId, numTurns }), { code: -32600 });
  }
  assert.equal((await talk.call("thread/rollback", { threadId, numTurns: 1 })).thread.turns.length, 2);
  assert.equal((await talk.call("thread/rollback", { threadId, numTurns: 1_000_000 })).thread.turns.length, 0);
});

test("pages go on after what a cursor names, also where that was reverted or lies outside of the turn asked for", async () => {
  await using home = await house();
  const talk = await opened(home);
  const threadId = await talk.thread();
  for (const text of ["a", "b", "c"]) await say(talk, threadId, text);
  const list = async (params: object) => talk.call("thread/turns/list", { threadId, ...params });
  const items = async (params: object) => talk.call("thread/items/list", { threadId, ...params });
  const all: { id: string }[] = (await list({ sortDirection: "asc" })).data;
  const [first, second] = all.map(({ id }) => id);

  const { nextCursor } = await items({ limit: 3 });
  const rest = (await items({ turnId: second, cursor: nextCursor })).data;
  assert.deepEqual(
    rest.map(({ turnId, item }: { turnId: string; item: { type: string } }) => [turnId, item.type]),
    [[second, "agentMessage"]],
  );
  assert.equal((await items({ turnId: first, cursor: nextCursor })).data.length, 0);
  assert.equal((await items({ turnId: first, cursor: nextCursor, sortDirection: "desc" })).data.length, 2);
  assert.deepEqual((await items({ turnId: "nope" })).data, []);
  const { id: itemId } = rest[0].item;
  assert.equal((await items({ turnId: second, cursor: { type: "item", itemId } })).data[0].item.id, itemId);
  await assert.rejects(items({ cursor: { type: "item", itemId } }), { code: -32602, message: /turnId is required/ });

  const newest = await list({ limit: 1 });
  await talk.call("thread/revert", { threadId, beforeTurnId: second });
  const left = await list({ cursor: newest.nextCursor });
  assert.deepEqual(
    left.data.map(({ id }: { id: string }) => id),
    [first],
  );
});

test("threads of a folder are listed by any way of writing it, and git information is kept without blanks", async () => {
  await using home = await house();
  const talk = await opened(home);
  const threadId = await talk.thread({ cwd: process.cwd() });
  await say(talk, threadId, "a");
  for (const cwd of [process.cwd(), `${process.cwd()}/`, ".", "", [".", "/"]]) {
    assert.equal((await talk.call("thread/list", { cwd })).data.length, 1, JSON.stringify(cwd));
  }
  assert.equal((await talk.call("thread/list", { cwd: "elsewhere" })).data.length, 0);
  const { thread } = await talk.call("thread/metadata/update", { threadId, gitInfo: { branch: " b " } });
  assert.equal(thread.gitInfo.branch, "b");
});
