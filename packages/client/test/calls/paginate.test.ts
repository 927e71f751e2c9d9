import assert from "node:assert/strict";
import { test } from "node:test";
import { ConnectionError } from "@quire/client";
import { type PageRequest, paginate } from "@quire/client/lists";

/** A list of numbers in pages of `limit`, 3 unless told, that notes what it was asked for. */
function numbers(count: number) {
  const asked: PageRequest[] = [];
  const fetchPage = async (request: PageRequest) => {
    asked.push(request);
    const start = Number(request.cursor ?? 0);
    const end = Math.min(count, start + (request.limit ?? 3));
    const data = Array.from({ length: end - start }, (_, index) => start + index);
    return { data, nextCursor: end < count ? String(end) : null };
  };
  return { asked, fetchPage };
}

test("a list that comes in pages is read to its end", async () => {
  const { fetchPage, asked } = numbers(8);
  assert.deepEqual(await paginate(fetchPage).toArray(), [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(
    asked.map(({ cursor }) => cursor),
    [undefined, "3", "6"],
  );
});

test("pages are fetched only when they are needed", async () => {
  const { fetchPage, asked } = numbers(1000);
  for await (const item of paginate(fetchPage)) if (item === 2) break;
  assert.equal(asked.length, 1);
});

test("a limit ends the list, and no page is longer than it", async () => {
  const { fetchPage, asked } = numbers(100);
  assert.deepEqual(await paginate(fetchPage, { limit: 2 }).toArray(), [0, 1]);
  assert.deepEqual(asked, [{ cursor: undefined, limit: 2 }]);
  assert.deepEqual(await paginate(fetchPage, { limit: 5, pageSize: 4 }).toArray(), [0, 1, 2, 3, 4]);
  assert.deepEqual(await paginate(fetchPage, { limit: 0 }).toArray(), []);
});

test("a byte bound ends the list before the item that would pass it", async () => {
  const fetchPage = async () => ({ data: ["aaaa", "bbbb", "cccc"], nextCursor: null });
  assert.deepEqual(await paginate(fetchPage, { maxBytes: 12 }).toArray(), ["aaaa", "bbbb"]);
  assert.deepEqual(await paginate(fetchPage, { maxBytes: 1 }).toArray(), ["aaaa"], "the first comes in any case");
});

test("a server that repeats its cursors does not keep the reader for ever", async () => {
  const cursors = ["a", "b", "a", "b"];
  const stuck = paginate(async () => ({ data: [1], nextCursor: cursors.shift() ?? "b" }));
  await assert.rejects(stuck.toArray(), (error) => ConnectionError.is(error) && error.code === "invalid-message");
});

test("an empty page is not taken for the end", async () => {
  const pages = [
    { data: [1], nextCursor: "a" },
    { data: [], nextCursor: "b" },
    { data: [2], nextCursor: null },
  ];
  assert.deepEqual(await paginate(async () => pages.shift() ?? { data: [] }).toArray(), [1, 2]);
});

test("awaiting gives the first page, iterating again begins anew", async () => {
  const { fetchPage } = numbers(4);
  const list = paginate(fetchPage);
  assert.deepEqual(await list, { data: [0, 1, 2], nextCursor: "3" });
  assert.deepEqual(await list.toArray(), [0, 1, 2, 3]);
  assert.deepEqual(await list.toArray(), [0, 1, 2, 3]);
  const cursors: unknown[] = [];
  for await (const page of list.pages()) cursors.push(page.nextCursor);
  assert.deepEqual(cursors, ["3", null]);
});

test("the signal reaches every call, and an error of one ends the list", async () => {
  const { signal } = new AbortController();
  const fetchPage = async ({ cursor }: PageRequest, options: { signal?: AbortSignal | undefined }) => {
    assert.equal(options.signal, signal);
    if (cursor !== undefined) throw new Error("gone");
    return { data: [1], nextCursor: "a" };
  };
  const items: number[] = [];
  await assert.rejects(async () => {
    for await (const item of paginate(fetchPage, { signal })) items.push(item);
  }, /gone/);
  assert.deepEqual(items, [1]);
});
