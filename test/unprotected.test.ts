import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { makeUnprotected } from "../bench/protections/unprotected.ts";

const root = join(import.meta.dirname, "..");

test("the benchmark of the protections compares with a copy that has none of them", async () => {
  await using folder = await tempDir();
  makeUnprotected(root, folder.path);
  const file = "packages/server/src/run/sandbox/reach.ts";
  const [ours, copy] = [root, folder.path].map((at) => readFileSync(join(at, file), "utf8"));
  assert.match(copy ?? "", /hiddenFolders\(\[\]\)/);
  assert.doesNotMatch(ours ?? "", /hiddenFolders\(\[\]\)/);
});
