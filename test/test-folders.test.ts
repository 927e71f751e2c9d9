import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { test } from "node:test";
import { filesBelow, packages } from "../scripts/lib/workspace.ts";
import { crossCutting, misplacedTests } from "./lib/test-folders.ts";

const all = packages().map(({ short, dir }) => {
  const below = (folder: string, ending: string) =>
    filesBelow(join(dir, folder), ending).map((file) => relative(join(dir, folder), file));
  return { name: short, tests: below("test", ".test.ts"), sources: [...below("src", ".ts"), ...below("src", ".tsx")] };
});

test("a test is found under the name of the folder that it tests", () => {
  assert.ok(all.every(({ tests }) => tests.length > 0));
  assert.deepEqual(all.flatMap(misplacedTests), []);
});

test("every cross-cutting folder is used, and none hides a folder of sources", () => {
  const tops = new Set(all.flatMap(({ tests }) => tests.map((file) => file.split("/")[0])));
  assert.deepEqual(
    Object.keys(crossCutting).filter((folder) => !tops.has(folder)),
    [],
  );
  for (const { name, sources } of all)
    for (const file of sources) assert.ok(!((file.split("/")[0] ?? "") in crossCutting), `${name}/src/${file}`);
});

test("a test in a folder that the sources do not have, or loose, is reported", () => {
  const sources = ["index.ts", "gateway.ts", "hub/hub.ts", "run/process/pipe.ts"];
  const tests = [
    "gateway.test.ts",
    "hub/hub.test.ts",
    "run/all.test.ts",
    "run/process/pipe.test.ts",
    "attacks/x.test.ts",
    "loose.test.ts",
    "organize/queue.test.ts",
    "run/elsewhere/a.test.ts",
  ];
  assert.deepEqual(misplacedTests({ name: "p", tests, sources }), [
    "packages/p/test/loose.test.ts: move it into a folder named as the one in src that it tests",
    "packages/p/test/organize/queue.test.ts: there is no packages/p/src/organize",
    "packages/p/test/run/elsewhere/a.test.ts: there is no packages/p/src/run/elsewhere",
  ]);
});
