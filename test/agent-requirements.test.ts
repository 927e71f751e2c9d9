import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { numberedTests, readRequirements, requirementProblems, testsOf } from "../scripts/lib/requirements.ts";
import { root } from "../scripts/lib/workspace.ts";

const dir = join(root, "packages", "agent");

test("every requirement of the agent has a test with its number", () => {
  const requirements = readRequirements(readFileSync(join(dir, "requirements.md"), "utf8"));
  assert.ok(requirements.length > 100);
  assert.deepEqual(requirementProblems(requirements, testsOf(dir), dir), []);
});

test("a planted violation is reported: a missing test, a missing folder, a number twice, a test of nothing", () => {
  const lines =
    "- 1.1 One.\n- 1.2 Two.\n- 1.2 Again.\n- 1.3 Three. *Covered by* test/nowhere\n- 1.4 Four. *Covered by* test";
  const source =
    'test("1.2, 9.9: both", () => {});\ntest(\n  `1.2: again`,\n);\ntest("3.14 is no number here", () => {});';
  const tests = new Map(numberedTests("a.test.ts", source).map(([number, name]) => [number, [name]]));
  assert.deepEqual(requirementProblems(readRequirements(lines), tests, dir), [
    "1.1 has no test: One.",
    "1.3 is covered by test/nowhere, which does not exist",
    "1.2 stands twice",
    "9.9 is tested, but is no requirement: a.test.ts: both",
  ]);
});
