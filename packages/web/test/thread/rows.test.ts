import assert from "node:assert/strict";
import { test } from "node:test";
import { RowBuilder } from "../../src/thread/rows.ts";
import { makeRequest, makeThread, type StoryTurn } from "../stories/log/make-thread.ts";

const message = (id: string, text = "x"): StoryTurn["items"][number] => ({ type: "agentMessage", id, text });

test("rows of a turn that is over stay the same objects while another grows", () => {
  const builder = new RowBuilder();
  const over = makeThread([{ id: "a", items: [message("1")] }]);
  const first = builder.build(over);
  const second = builder.build({ ...over, items: new Map(over.items), version: 2 });
  assert.deepEqual(
    first.map((row) => row.key),
    ["a 1", "end a"],
  );
  assert.ok(first.every((row, index) => row === second[index]));
});

test("a question stands behind its item, one of an unknown turn at the end", () => {
  const thread = makeThread([{ id: "a", items: [message("1"), message("2")] }], {
    pending: [makeRequest("late", "gone", null), makeRequest("one", "a", "1"), makeRequest("turn", "a", null)],
  });
  const keys = new RowBuilder().build(thread).map((row) => row.key);
  assert.deepEqual(keys, ["a 1", "request one", "a 2", "request turn", "end a", "request late"]);
});

test("a question that is about no item stands where it was asked", () => {
  const asked = { ...makeRequest("asked", "a", "call-1"), afterItem: "1" };
  const about = { ...makeRequest("about", "a", "2"), afterItem: "1" };
  const thread = makeThread([{ id: "a", items: [message("1"), message("2")] }], { pending: [asked, about] });
  const keys = new RowBuilder().build(thread).map((row) => row.key);
  assert.deepEqual(keys, ["a 1", "request asked", "a 2", "request about", "end a"]);
});

test("notices stand where they were said", () => {
  const notices = [
    { id: "n1", level: "info" as const, text: "", details: null, afterItem: null },
    { id: "n2", level: "info" as const, text: "", details: null, afterItem: "1" },
  ];
  const thread = makeThread([{ id: "a", items: [message("1")], turn: { notices } }]);
  const keys = new RowBuilder().build(thread).map((row) => row.key);
  assert.deepEqual(keys, ["notice a n1", "a 1", "notice a n2", "end a"]);
});

test("a long message becomes several rows that hold all of it, and its first rows stay while it grows", () => {
  const builder = new RowBuilder();
  const paragraph = "A sentence that is repeated. ".repeat(20);
  const rowsOf = (count: number) => {
    const text = `${paragraph}\n\n`.repeat(count);
    const thread = makeThread([{ id: "a", items: [message("1", text)], turn: { status: "inProgress" } }]);
    const parts = builder.build(thread).flatMap((row) => (row.kind === "item" ? [row] : []));
    return { text, parts };
  };
  const { text, parts } = rowsOf(60);
  assert.ok(parts.length > 3);
  assert.equal(parts.map(({ part }) => text.slice(part?.start, part?.end ?? undefined)).join(""), text);
  const grown = rowsOf(90).parts;
  assert.deepEqual(
    grown.slice(0, parts.length - 1).map((row) => row.key),
    parts.slice(0, -1).map((row) => row.key),
  );
});
