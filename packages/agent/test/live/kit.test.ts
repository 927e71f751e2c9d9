import assert from "node:assert/strict";
import { test } from "node:test";
import { type Capability, onEachTarget, targets } from "./targets.ts";

const all: readonly Capability[] = ["resume", "fork", "sandbox", "skills", "mcp", "process"];

test("11.17: a server that the agent starts can do all that the scenarios ask for, so that none is left out", () => {
  assert.ok(targets.length > 0);
  for (const { name, capabilities } of targets) {
    // One that runs already keeps the home that it has: what needs another is left out.
    const expected = name.startsWith("our server over")
      ? all.filter((each) => each !== "skills" && each !== "process")
      : all;
    assert.deepEqual([...capabilities].sort(), [...expected].sort(), name);
  }
});

let isRun = false;
await onEachTarget("11.17: what no target can do", ["time travel" as Capability], () => {
  isRun = true;
});

test("11.17: scenarios that need what a target cannot do are not run on it", () => {
  assert.equal(isRun, false);
});
