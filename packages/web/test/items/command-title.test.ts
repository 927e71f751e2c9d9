import assert from "node:assert/strict";
import { test } from "node:test";
import { commandTitle } from "../../src/items/command-title.ts";

test("a mere look says what was looked at", () => {
  const read = (name: string) => ({ type: "read" as const, command: "cat", name, path: name });
  assert.deepEqual(commandTitle("cat a b", [read("a"), read("b")]), { kind: "read", title: "Read", detail: "a, b" });
  const search = { type: "search" as const, command: "rg x", query: "x", path: "src" };
  assert.deepEqual(commandTitle("rg x src", [search]), { kind: "search", title: "Searched", detail: "x in src" });
  const mixed = commandTitle("cat a && rm b", [read("a"), { type: "unknown", command: "rm b" }]);
  assert.deepEqual(mixed, { kind: "run", title: "Ran", detail: "cat a && rm b" });
});

test("what still runs is not said to be done, nor what was declined", () => {
  const list = { type: "listFiles" as const, command: "ls", path: null };
  const read = { type: "read" as const, command: "cat a", name: "a", path: "a" };
  const search = { type: "search" as const, command: "rg x", query: "x", path: null };
  const titles = [[list], [read], [search], []].map((actions) =>
    (["running", "done", "notRun"] as const).map((phase) => commandTitle("make", actions, phase).title),
  );
  assert.deepEqual(titles, [
    ["Listing files", "Listed files", "List files"],
    ["Reading", "Read", "Read"],
    ["Searching", "Searched", "Search"],
    ["Running", "Ran", "Run"],
  ]);
});

test("a shell around one word is left out too", () => {
  assert.equal(commandTitle("/bin/bash -lc scripts/test", []).detail, "scripts/test");
});
