import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { filesBelow, packages, root } from "../scripts/lib/workspace.ts";
import { questionOpenings } from "./lib/comment-openings.ts";

const folders = [
  ...packages().map(({ short }) => `packages/${short}/src`),
  ...["packages/protocol/generator", "scripts", "bench", "conformance", "test", "examples"],
];

for (const folder of folders) {
  test(`doc comments in ${folder} begin with their subject`, () => {
    const files = ["ts", "tsx"].flatMap((ending) => filesBelow(join(root, folder), `.${ending}`));
    assert.ok(files.length > 0, "the sources were not found");
    const found = files
      .filter((file) => !file.includes("/generated/"))
      .flatMap((file) => questionOpenings(relative(root, file), readFileSync(file, "utf8")));
    assert.deepEqual(found, []);
  });
}

test("planted openings are reported where they stand, others are not", () => {
  const text = [
    "/** What it holds. */",
    "const a = 1;",
    "  /**",
    "   * Whether it is open.",
    "   */",
    "/** Says what it holds. */",
    "// How it works.",
    "/** One-shot timer. */",
  ];
  assert.deepEqual(questionOpenings("a.ts", text.join("\n")), [
    "a.ts:1: What it holds. */",
    "a.ts:4: Whether it is open.",
  ]);
});
