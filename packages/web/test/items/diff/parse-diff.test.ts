import assert from "node:assert/strict";
import { test } from "node:test";
import { fileOfChange } from "../../../src/items/diff/change-files.ts";
import { layoutDiff } from "../../../src/items/diff/diff-rows.ts";
import { parseDiff } from "../../../src/items/diff/parse-diff.ts";
import { turnDiff } from "../../stories/log/sample-items.ts";

test("a turn's diff is read file by file, with what was added, removed, made and moved", () => {
  const files = parseDiff(turnDiff);
  assert.deepEqual(
    files.map(({ path, from, kind, added, removed }) => [path, from, kind, added, removed]),
    [
      ["src/queue.ts", null, "changed", 2, 2],
      ["docs/queue.md", null, "added", 2, 0],
      ["new.txt", "old.txt", "changed", 0, 0],
    ],
  );
  const [line] = files[0]?.hunks[1]?.lines ?? [];
  assert.deepEqual([line?.kind, line?.before, line?.after], ["context", 40, 41]);
});

test("lines that look like headers are lines when they stand in a hunk", () => {
  const [file] = parseDiff("@@ -1,3 +1,3 @@\n--- old\n+++ new\n context\n", "a.md");
  assert.deepEqual(
    file?.hunks[0]?.lines.map((line) => [line.kind, line.text]),
    [
      ["removed", "-- old"],
      ["added", "++ new"],
      ["context", "context"],
    ],
  );
});

test("a file is named though it was deleted, has spaces, or the diff ends without a line break", () => {
  const deleted =
    "diff --git a/a b.txt b/a b.txt\ndeleted file mode 100644\n--- a/a b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x";
  const [file] = parseDiff(`${deleted}\n\\ No newline at end of file`);
  assert.deepEqual([file?.path, file?.kind, file?.removed], ["a b.txt", "deleted", 1]);
  assert.equal(parseDiff("diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n")[0]?.kind, "binary");
  assert.deepEqual(parseDiff("no diff at all"), []);
});

test("a hunk's lines are its own by its numbers, whatever they look like, and no other file's", () => {
  const body = "@@ -1 +1 @@\n--- a/other.txt\n+++ b/other.txt\n@@ -9 +9 @@\n-secure\n+insecure\n";
  const files = parseDiff(`diff --git a/own.txt b/own.txt\n--- a/own.txt\n+++ b/own.txt\n${body}`);
  assert.deepEqual(
    files.map(({ path, hunks }) => [path, hunks.length]),
    [["own.txt", 2]],
  );
  // Where the numbers say too little, nothing is left out.
  assert.equal(parseDiff("@@ -1 +1 @@\n-a\n+b\n+c\n", "a")[0]?.added, 2);
});

test("names are read as git writes them: quoted, with spaces, and with what looks like another name", () => {
  const names: readonly (readonly [header: string, name: string])[] = [
    ["a/x b/x b/x b/x", "x b/x"],
    ['"a/q\\"x" "b/q\\"x"', 'q"x'],
    ['"a/l\\nx" "b/l\\nx"', "l\nx"],
    ['"a/\\303\\251" "b/\\303\\251"', "é"],
    ['"a/b\\\\" "b/b\\\\"', "b\\"],
  ];
  for (const [header, name] of names) assert.equal(parseDiff(`diff --git ${header}\nold mode 1\n`)[0]?.path, name);
  assert.equal(parseDiff("--- a/sp \t\n+++ b/sp \t\n@@ -1 +1 @@\n-x\n+y\n")[0]?.path, "sp ");
});

test("a change holds a diff, or the whole file where it is new or gone", () => {
  const added = fileOfChange({ path: "/a.txt", kind: { type: "add" }, diff: "one\ntwo\n" });
  assert.deepEqual([added.kind, added.added, added.removed], ["added", 2, 0]);
  const removed = fileOfChange({ path: "/a.txt", kind: { type: "delete" }, diff: "one\n" });
  assert.deepEqual([removed.kind, removed.added, removed.removed], ["deleted", 0, 1]);
  const asDiff = fileOfChange({ path: "/a.txt", kind: { type: "add" }, diff: "@@ -0,0 +1 @@\n+one\n" });
  assert.deepEqual([asDiff.kind, asDiff.added], ["added", 1]);
  const moved = fileOfChange({ path: "/a", kind: { type: "update", move_path: "/b" }, diff: "@@ -1 +1 @@\n-x\n+y\n" });
  assert.deepEqual([moved.path, moved.from, moved.added, moved.removed], ["/b", "/a", 1, 1]);
});

test("side by side, removed and added lines stand beside each other with what differs marked", () => {
  const [file] = parseDiff("@@ -1,3 +1,4 @@\n same\n-const a = 1;\n+const a = 2;\n+more\n end\n", "a.ts");
  assert.ok(file !== undefined);
  const { split, unified, before, after } = layoutDiff(file);
  assert.equal(before, "same\nconst a = 1;\nend");
  assert.equal(after, "same\nconst a = 2;\nmore\nend");
  assert.equal(unified.length, 5);
  const pairs = split.map((row) => (row.type === "pair" ? [row.left?.text ?? null, row.right?.text ?? null] : null));
  assert.deepEqual(pairs, [
    ["same", "same"],
    ["const a = 1;", "const a = 2;"],
    [null, "more"],
    ["end", "end"],
  ]);
  const changed = split[1];
  assert.deepEqual(changed?.type === "pair" && [changed.left?.mark, changed.right?.mark], [
    [10, 11],
    [10, 11],
  ]);
});
