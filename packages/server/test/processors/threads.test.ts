/** What the methods of threads refuse, and where their pages begin. */
import assert from "node:assert/strict";
import { copyFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { input, type TestClient } from "../support/test-client.ts";
import { type TestHome, testHome } from "../support/test-server.ts";

async function say(client: TestClient, threadId: string, text: string): Promise<void> {
  const { turn } = await client.request("turn/start", { threadId, input: input(text) });
  await client.waitFor("turn/completed", (told) => told.turn.id === turn.id);
}

async function opened(home: TestHome): Promise<TestClient> {
  home.model.fallback(() => reply().text("ok"));
  return (await home.open()).client;
}

const idOf = ({ id }: { id: string }): string => id;

test("pages of loaded threads go on where they were when a thread between is unloaded, and do not begin anew", async () => {
  await using home = await testHome();
  const client = await opened(home);
  const ids = [await client.thread(), await client.thread(), await client.thread()].sort();
  const page = await client.request("thread/loaded/list", { limit: 2 });
  assert.deepEqual(page, { data: ids.slice(0, 2), nextCursor: ids[1] });
  await client.request("thread/archive", { threadId: ids[1] });
  const next = await client.request("thread/loaded/list", { limit: 2, cursor: page.nextCursor });
  assert.deepEqual(next, { data: [ids[2]], nextCursor: null });
  await assert.rejects(client.request("thread/loaded/list", { cursor: "nope" }), {
    code: -32600,
    message: /invalid cursor/,
  });
});

test("a stored thread is read without its turns as quickly as it lists, and as it was started", async () => {
  await using home = await testHome();
  const client = await opened(home);
  const { thread } = await client.request("thread/start", { historyMode: "legacy" });
  await say(client, thread.id, "go");
  await client.request("thread/archive", { threadId: thread.id });
  const whole = await client.request("thread/unarchive", { threadId: thread.id });
  assert.equal(whole.thread.historyMode, "legacy");
  // Time stamps of whole seconds can be set again without loss.
  utimesSync(thread.path, 1000, 1000);
  const { data } = await client.request("thread/list", {});
  assert.equal(data[0].historyMode, "legacy");
  // To show that it is not read: its file is spoilt, and looks the same.
  writeFileSync(thread.path, " ".repeat(statSync(thread.path).size));
  utimesSync(thread.path, 1000, 1000);
  const read = await client.request("thread/read", { threadId: thread.id });
  assert.deepEqual(read.thread, data[0]);
  await assert.rejects(client.request("thread/read", { threadId: thread.id, includeTurns: true }), /is no rollout/);
});

test("malformed items are not injected, and those of no known kind never reach the model", async () => {
  await using home = await testHome();
  const client = await opened(home);
  const threadId = await client.thread();
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
    await assert.rejects(client.request("thread/inject_items", { threadId, items: [message, item] }), refused);
  }
  await client.request("thread/inject_items", {
    threadId,
    items: [{ type: "of_tomorrow" }, message, { type: "other" }],
  });
  await client.request("thread/inject_items", { threadId, items: [{ type: "of_tomorrow" }] });
  await say(client, threadId, "go");
  const sent = JSON.stringify(home.model.requests.at(-1)?.body.input);
  assert.equal(sent.split('"injected"').length, 2);
  assert.doesNotMatch(sent, /of_tomorrow|"other"/);
});

test("a path is one below the home; a copy of a rollout and an archived one are not gone on with", async () => {
  await using home = await testHome();
  const client = await opened(home);
  const { thread } = await client.request("thread/start", {});
  const threadId = thread.id;
  await say(client, threadId, "a");
  const copy = join(home.home, "copy.jsonl");
  copyFileSync(thread.path, copy);
  const { client: other } = await home.open();
  const inHome = relative(home.home, thread.path);
  assert.equal((await other.request("thread/resume", { threadId, path: inHome })).thread.id, threadId);
  const { client: third } = await home.open();
  const stored = { code: -32600, message: /is stored in .*; resume it without a path/ };
  await assert.rejects(third.request("thread/resume", { threadId, path: copy }), stored);
  assert.equal((await third.request("thread/fork", { threadId, path: copy })).thread.turns.length, 1);
  await third.request("thread/archive", { threadId });
  const path = (await third.request("thread/read", { threadId })).thread.path;
  await assert.rejects(third.request("thread/resume", { threadId, path }), { code: -32600, message: /is archived/ });
});

test("git information of an archived thread can be set; its name stays", async () => {
  await using home = await testHome();
  const client = await opened(home);
  const threadId = await client.thread({ cwd: home.home });
  await say(client, threadId, "a");
  await client.request("thread/archive", { threadId });
  const { thread } = await client.request("thread/metadata/update", { threadId, gitInfo: { sha: "abc" } });
  assert.deepEqual(thread.gitInfo, { sha: "abc", branch: null, originUrl: null });
  const [listed] = (await client.request("thread/list", { archived: true })).data;
  assert.deepEqual([listed.id, listed.gitInfo.sha], [threadId, "abc"]);
  await assert.rejects(client.request("thread/name/set", { threadId, name: "N" }), { code: -32600 });
});

test("turns are rolled back by whole numbers, and no further than to the first", async () => {
  await using home = await testHome();
  const client = await opened(home);
  const threadId = await client.thread();
  for (const text of ["a", "b", "c"]) await say(client, threadId, text);
  for (const numTurns of [0, -1, 1.5, "1", null]) {
    await assert.rejects(client.request("thread/rollback", { threadId, numTurns }), { code: -32600 });
  }
  assert.equal((await client.request("thread/rollback", { threadId, numTurns: 1 })).thread.turns.length, 2);
  assert.equal((await client.request("thread/rollback", { threadId, numTurns: 1_000_000 })).thread.turns.length, 0);
});

test("pages go on after what a cursor names, also where that was reverted or lies outside of the turn asked for", async () => {
  await using home = await testHome();
  const client = await opened(home);
  const threadId = await client.thread();
  for (const text of ["a", "b", "c"]) await say(client, threadId, text);
  const list = async (params: object) => client.request("thread/turns/list", { threadId, ...params });
  const items = async (params: object) => client.request("thread/items/list", { threadId, ...params });
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
  await client.request("thread/revert", { threadId, beforeTurnId: second });
  const left = await list({ cursor: newest.nextCursor });
  assert.deepEqual(
    left.data.map(({ id }: { id: string }) => id),
    [first],
  );
});

test("pages of a stored thread, of which only a part is read, are those of the loaded thread, and so are the cursors", async () => {
  await using home = await testHome();
  const before = await opened(home);
  const threadId = await before.thread();
  for (const text of ["a", "b", "c", "d", "e"]) await say(before, threadId, text);
  const { data } = await before.request("thread/turns/list", { threadId });
  const [anchor] = data[2].items;
  const stored = await opened(home);
  const loaded = await opened(home);
  await loaded.request("thread/resume", { threadId });
  const pages = async (method: "thread/turns/list" | "thread/items/list", more: object) => {
    for (const sortDirection of ["asc", "desc", undefined]) {
      const params = { threadId, limit: 2, sortDirection, ...more };
      for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
        const page = await stored.request(method, { ...params, cursor });
        assert.deepEqual(
          page,
          await loaded.request(method, { ...params, cursor }),
          JSON.stringify({ ...params, cursor }),
        );
        const back = { ...params, cursor: page.backwardsCursor, limit: 9 };
        assert.deepEqual(await stored.request(method, back), await loaded.request(method, back));
        cursor = page.nextCursor;
      }
    }
  };
  for (const itemsView of [undefined, "full", "notLoaded"]) await pages("thread/turns/list", { itemsView });
  await pages("thread/items/list", {});
  await pages("thread/items/list", { turnId: data[1].id });
  await pages("thread/items/list", { limit: 1000 });
  const some = { threadId, turnId: data[2].id, itemIds: [anchor.id, "none"] };
  const read = await stored.request("thread/items/read", some);
  assert.deepEqual([read.data.length, read], [1, await loaded.request("thread/items/read", some)]);
  await assert.rejects(stored.request("thread/turns/list", { threadId, cursor: "items:1:from" }), { code: -32600 });
});

test("pages from the end of a long stored thread go on where they were, also after it is loaded or reverted", async () => {
  await using home = await testHome();
  const client = await opened(home);
  const threadId = await client.thread();
  for (let n = 0; n < 12; n++) await say(client, threadId, `${n} ${"long ".repeat(5000)}`);
  const all: string[] = (await client.request("thread/turns/list", { threadId, limit: 100 })).data.map(idOf);
  const stored = await opened(home);
  const page = (more: object) => stored.request("thread/turns/list", { threadId, limit: 3, ...more });
  const first = await page({});
  assert.deepEqual(first.data.map(idOf), all.slice(0, 3));
  assert.deepEqual((await page({ cursor: first.nextCursor })).data.map(idOf), all.slice(3, 6));
  assert.deepEqual((await page({ cursor: first.backwardsCursor })).data.map(idOf), all.slice(0, 3));
  const later = { cursor: first.nextCursor, sortDirection: "asc" };
  assert.deepEqual((await page(later)).data.map(idOf), all.slice(0, 2).reverse());
  const full = await page({ itemsView: "full", limit: 100 });
  assert.deepEqual(full.data.map(idOf), all);

  await stored.request("thread/resume", { threadId, excludeTurns: true });
  assert.deepEqual((await page({ cursor: first.nextCursor })).data.map(idOf), all.slice(3, 6));
  await stored.request("thread/revert", { threadId, beforeTurnId: all[4] });
  assert.deepEqual((await page({ cursor: first.nextCursor })).data.map(idOf), all.slice(5, 8));
  assert.deepEqual((await page(later)).data, []);
  for (const cursor of ["turn:%:from", "turn:", "turn:abc"]) await assert.rejects(page({ cursor }), { code: -32600 });
});

test("threads of a folder are listed by any way of writing it, and git information is kept without blanks", async () => {
  await using home = await testHome();
  const client = await opened(home);
  const threadId = await client.thread({ cwd: process.cwd() });
  await say(client, threadId, "a");
  for (const cwd of [process.cwd(), `${process.cwd()}/`, ".", "", [".", "/"]]) {
    assert.equal((await client.request("thread/list", { cwd })).data.length, 1, JSON.stringify(cwd));
  }
  assert.equal((await client.request("thread/list", { cwd: "elsewhere" })).data.length, 0);
  const { thread } = await client.request("thread/metadata/update", { threadId, gitInfo: { branch: " b " } });
  assert.equal(thread.gitInfo.branch, "b");
});
