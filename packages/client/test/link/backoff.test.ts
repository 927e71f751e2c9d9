import assert from "node:assert/strict";
import { test } from "node:test";
import { backoffCeilingMs, backoffMs, delay } from "@quire/client/link";

test("pauses double, stay bounded, and differ between clients", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 20].map((attempt) => backoffCeilingMs(attempt, 250, 8000)),
    [250, 500, 1000, 2000, 8000],
  );
  const pauses = Array.from({ length: 100 }, () => backoffMs(3, 250, 8000));
  assert.ok(pauses.every((pause) => pause >= 0 && pause <= 2000));
  assert.ok(new Set(pauses).size > 1);
});

test("a pause ends early when its signal is aborted", async () => {
  const hurry = new AbortController();
  const paused = delay(3_600_000, hurry.signal);
  hurry.abort(new Error("now"));
  await assert.rejects(paused, /now/);
  await assert.rejects(delay(3_600_000, hurry.signal), /now/);
});
