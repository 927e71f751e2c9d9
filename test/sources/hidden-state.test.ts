import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { filesBelow, packages, root } from "../../scripts/lib/workspace.ts";
import { hiddenState } from "../lib/hidden-state.ts";

test("no module keeps state of others in a WeakMap", () => {
  const files = packages().flatMap(({ dir }) =>
    ["ts", "tsx"].flatMap((ending) => filesBelow(join(dir, "src"), `.${ending}`)),
  );
  assert.ok(files.length > 1000, "the sources were not found");
  assert.deepEqual(
    files.flatMap((file) => hiddenState(relative(root, file), readFileSync(file, "utf8"))),
    [],
  );
});

test("planted state is reported, a cache is not", () => {
  const found = hiddenState(
    "a.ts",
    [
      "/** A pure cache: texts do not change. */",
      "const sizes = new WeakMap<Text, number>();",
      "",
      "const goals = new WeakMap<Thread, Goal>();",
      "/** Threads that wait. */",
      "export const waiting: WeakSet<Thread> = new WeakSet();",
    ].join("\n"),
  );
  assert.equal(found.length, 2);
});
