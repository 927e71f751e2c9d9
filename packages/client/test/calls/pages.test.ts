import assert from "node:assert/strict";
import { test } from "node:test";
import { pages } from "@quire/client";
import type { CursorMethod, ItemOf, TwoWayCursorMethod } from "@quire/client/lists";
import type { Model, Thread, ThreadItemEntry } from "@quire/protocol";
import { FakePort } from "../support/fake-port.ts";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const holds = <T extends true>(value: T): void => assert.equal(value, true);

test("the cursor methods follow from the protocol's types", () => {
  holds<Equal<ItemOf<"model/list">, Model>>(true);
  holds<Equal<ItemOf<"thread/items/list">, ThreadItemEntry>>(true);
  holds<Equal<ItemOf<"thread/loaded/list">, string>>(true);
  holds<Equal<TwoWayCursorMethod, "thread/list" | "thread/items/list" | "thread/turns/list" | "thread/search">>(true);
  const methods: CursorMethod[] = ["app/list", "project/list", "mcpServerStatus/list", "permissionProfile/list"];
  // @ts-expect-error It has `data` but no cursor.
  methods.push("collaborationMode/list");
  // @ts-expect-error It answers in one piece.
  methods.push("config/read");
});

test("params go along with every page, and a cursor in them is where the list begins", async () => {
  const port = new FakePort().on("model/list", ({ cursor }) => ({
    data: [],
    nextCursor: cursor === "start" ? "next" : null,
  }));
  await pages(port, "model/list", { includeHidden: true, cursor: "start", limit: 7 }).toArray();
  assert.deepEqual(port.paramsOf("model/list"), [
    { includeHidden: true, cursor: "start", limit: 7 },
    { includeHidden: true, cursor: "next", limit: 7 },
  ]);
});

/** Lists threads as Codex 0.166 does: it compares with the cursor in seconds, and cuts its own cursors to the second. */
function secondsServer(createdAt: readonly number[]) {
  const all = createdAt.map((second, index) => ({ id: `t${index}`, createdAt: second }) as Thread);
  return new FakePort().on("thread/list", ({ cursor, limit, sortDirection }) => {
    const up = sortDirection === "asc";
    const at = cursor == null ? undefined : Date.parse(cursor) / 1000;
    const sorted = up ? all : [...all].reverse();
    const rest = sorted.filter((thread) => at === undefined || (up ? thread.createdAt > at : thread.createdAt < at));
    const data = rest.slice(0, limit ?? 3);
    const last = data.at(-1);
    const iso = last && new Date(last.createdAt * 1000).toISOString().replace(".000Z", "Z");
    return { data, nextCursor: data.length < rest.length ? (iso ?? null) : null };
  });
}

test("threads created in one second are listed once each, though the server's cursors skip them", async () => {
  const seconds = [100, 101, 101, 101, 101, 101, 101, 101, 101, 102, 103, 103, 105];
  const ids = seconds.map((_, index) => `t${index}`);
  for (const pageSize of [1, 2, 3, 5, 100, undefined]) {
    const port = secondsServer(seconds);
    const newest = await pages(port, "thread/list", {}, { pageSize }).toArray();
    assert.deepEqual(
      newest.map(({ id }) => id),
      [...ids].reverse(),
      `newest first, pages of ${pageSize}`,
    );
    const oldest = await pages(port, "thread/list", { sortDirection: "asc" }, { pageSize }).toArray();
    assert.deepEqual(
      oldest.map(({ id }) => id),
      ids,
      `oldest first, pages of ${pageSize}`,
    );
  }
});

test("threads found in one second come once each, though 0.169 overlooks the id in the cursor of a search", async () => {
  const all = [100, 101, 101, 101, 101, 102, 102].map((createdAt, index) => ({ id: `t${index}`, createdAt }) as Thread);
  const port = new FakePort().on("thread/search", ({ cursor, limit }) => {
    const at = cursor == null ? Number.POSITIVE_INFINITY : Date.parse(cursor.replace(/\|.*/, "")) / 1000;
    const rest = [...all].reverse().filter(({ createdAt }) => createdAt < at);
    const data = rest.slice(0, limit ?? 3);
    const last = data.at(-1);
    const time = new Date((last?.createdAt ?? 0) * 1000).toISOString().replace(".000Z", "Z");
    const nextCursor = data.length < rest.length ? `${time}|${last?.id}` : null;
    return { data: data.map((thread) => ({ thread, snippet: "" })), nextCursor } as never;
  });
  for (const pageSize of [1, 2, 3, 100]) {
    const found = await pages(port, "thread/search", { searchTerm: "t" }, { pageSize }).toArray();
    assert.deepEqual(
      found.map(({ thread }) => thread.id),
      all.map(({ id }) => id).reverse(),
      `pages of ${pageSize}`,
    );
  }
});

test("a server that repeats one page of threads does not keep the reader for ever", async () => {
  const thread = { id: "t", createdAt: 100 } as Thread;
  const nextCursor = "1970-01-01T00:01:40Z";
  const port = new FakePort().on("thread/list", () => ({ data: [thread], nextCursor }));
  await assert.rejects(pages(port, "thread/list", {}).toArray(), /twice/);
});

test("a server that repeats an exact cursor of threads does not keep the reader for ever either", async () => {
  let count = 0;
  const port = new FakePort().on("thread/list", () => {
    count += 1;
    assert.ok(count < 10, "it went on");
    return { data: [{ id: `t${count}`, createdAt: 100 } as Thread], nextCursor: "1970-01-01T00:01:40.5Z|x" };
  });
  await assert.rejects(pages(port, "thread/list", {}).toArray(), /twice/);
});
