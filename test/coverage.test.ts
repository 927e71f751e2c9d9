import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isMethod } from "@quire/protocol/methods";
import { namelessRequests } from "../scripts/lib/coverage/helpers.ts";
import { coveragePage } from "../scripts/lib/coverage/page.ts";
import { readWire } from "../scripts/lib/coverage/wire.ts";
import { root } from "../scripts/lib/workspace.ts";

const page = () => readFileSync(join(root, "docs", "coverage.md"), "utf8");

test("docs/coverage.md is up to date", () => {
  assert.equal(page(), coveragePage(), "run: bun scripts/coverage.ts");
});

test("docs/coverage.md has a row for every method", () => {
  const rows = page().match(/^\| `[^`]+`/gm) ?? [];
  const names = new Set(rows.map((row) => row.slice("| `".length, -1)));
  assert.equal(names.size, rows.length);
  assert.ok([...names].every(isMethod));
  for (const count of [187, 11, 88]) assert.match(page(), new RegExp(`^${count} in all;`, "m"));
});

test("every request that the client makes by name is listed with its helper", () => {
  assert.deepEqual(namelessRequests(), [], "give it a row in scripts/lib/coverage/written-helpers.ts");
});

test("the recording shows what a client cannot do without on every version", () => {
  for (const [version, seen] of Object.entries(readWire())) {
    for (const method of ["initialize", "thread/start", "turn/start", "turn/interrupt", "thread/resume"]) {
      assert.equal(seen[method], "answered", `${method} on ${version}`);
    }
    assert.equal(seen["turn/completed"], "seen", version);
  }
});
