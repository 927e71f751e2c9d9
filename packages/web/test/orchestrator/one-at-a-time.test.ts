import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually } from "@quire/testkit";
import { oneAtATime } from "../../src/orchestrator/one-at-a-time.ts";

test("what is asked for faster than it is done is done all the same, and once more for the last who asked", async () => {
  const waiting: (() => void)[] = [];
  let done = 0;
  const ask = oneAtATime(async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    done += 1;
  });
  for (let times = 0; times < 3; times++) ask();
  assert.equal(waiting.length, 1);
  waiting[0]?.();
  await eventually(() => waiting.length === 2);
  assert.equal(done, 1);
  waiting[1]?.();
  await eventually(() => done === 2);
  assert.equal(waiting.length, 2, "nobody asked any more");
  ask();
  assert.equal(waiting.length, 3);
  waiting[2]?.();
});
