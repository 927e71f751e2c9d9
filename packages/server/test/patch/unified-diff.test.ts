import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { random } from "@quire/testkit";
import { unifiedHunks } from "../../src/patch/unified-diff.ts";

/** Applies a diff strictly by its line numbers, checking every line that it says is there. */
function applyHunks(before: string, hunks: string): string {
  const old = before.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let made = "";
  let at = 0;
  for (const [index, hunk] of hunks
    .split(/^(?=@@)/m)
    .filter((part) => part !== "")
    .entries()) {
    const [header = "", ...lines] = hunk.split(/(?<=\n)/);
    const [, start = "", count = "1", newStart = ""] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)/.exec(header) ?? assert.fail(header);
    const from = count === "0" ? Number(start) : Number(start) - 1;
    made += old.slice(at, from).join("");
    at = from;
    const newLines = made.match(/\n/g)?.length ?? 0;
    assert.ok(index > 0 || Math.abs(newLines - Number(newStart)) <= 1, "the new place is named");
    for (const [n, line] of lines.entries()) {
      if (line.startsWith("\\")) continue;
      const text = lines[n + 1]?.startsWith("\\") ? line.slice(1, -1) : line.slice(1);
      if (!line.startsWith("+")) assert.equal(old[at++], text);
      if (!line.startsWith("-")) made += text;
    }
  }
  return made + old.slice(at).join("");
}

describe("unified diffs", () => {
  test("the same text has none, and edges are counted right", () => {
    assert.equal(unifiedHunks("a\n", "a\n", 3), "");
    assert.equal(unifiedHunks("", "a\nb\n", 3), "@@ -0,0 +1,2 @@\n+a\n+b\n");
    assert.equal(unifiedHunks("a\n", "", 3), "@@ -1 +0,0 @@\n-a\n");
    assert.equal(unifiedHunks("a", "a\n", 3), "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n");
  });

  test("the new text can be made of the old one with any diff", () => {
    const { int, pick } = random();
    const text = () => {
      const lines = Array.from({ length: int(0, 30) }, () => pick(["a", "b", "c", "d"]));
      return lines.length === 0 ? "" : lines.join("\n") + (int(0, 3) === 0 ? "" : "\n");
    };
    for (let round = 0; round < 2000; round++) {
      const [before, after] = [text(), text()];
      const hunks = unifiedHunks(before, after, int(0, 3));
      assert.equal(applyHunks(before, hunks), after, JSON.stringify({ before, after, hunks }));
    }
  });

  test("two large files that share nothing are told as one replacement, soon", () => {
    const lines = (mark: string) => Array.from({ length: 20_000 }, (_, n) => `${mark}${n}\n`).join("");
    assert.match(unifiedHunks(lines("a"), lines("b"), 3), /^@@ -1,20000 \+1,20000 @@\n/);
  });
});
