import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { filesBelow, root } from "../../scripts/lib/workspace.ts";
import { processStartViolations, starters } from "../lib/process-starts.ts";

test("only files that are known to do it safely start programs in the server and the orchestrator", () => {
  const sources = ["server", "orchestrator"].flatMap((name) => filesBelow(join(root, "packages", name, "src"), ".ts"));
  assert.ok(sources.length > 100, "the sources were not found");
  const files = new Map(sources.map((file) => [relative(root, file), readFileSync(file, "utf8")]));
  assert.deepEqual(processStartViolations(files), []);
  const gone = Object.keys(starters).filter((path) => !files.has(path));
  assert.deepEqual(gone, [], "entries of files that are not there any more");
});

const violations = (text: string, path = "packages/server/src/git/new.ts") =>
  processStartViolations(new Map([[path, text]]));

const planted = [
  'import { execFile } from "node:child_process";',
  'import { type ChildProcess, spawn } from "child_process";',
  'const { exec } = await import("node:child_process");',
  'const { exec } = process.getBuiltinModule("node:child_process");',
  'Bun.spawn(["git", "status"]);',
  'Bun.spawnSync(["git", "status"]);',
  "const text = await Bun.$`git status`.text();",
  'import { $ } from "bun";',
  "const { spawn } = Bun;",
  'const worker = new Worker("decode.ts");',
];

for (const text of planted) {
  test(`a planted violation is reported: ${text}`, () => {
    assert.match(violations(text).join(), /git\/new\.ts starts programs by itself/);
  });
}

test("types and comments are let through, and an entry that is not needed any more is reported", () => {
  assert.deepEqual(violations('import type { ChildProcess } from "node:child_process";\n// Bun.spawn(x)'), []);
  assert.match(violations("", "packages/server/src/account/keyring.ts").join(), /starts no programs any more/);
});
