import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

test("gateway and page agree on what they say to each other", () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, "..", "..", path), "utf8");
  assert.equal(read("web/src/link/page-protocol.ts"), read("gateway/src/page-protocol.ts"));
});
