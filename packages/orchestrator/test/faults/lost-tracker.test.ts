import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { place } from "../support/place.ts";

describe("a tracker that shows none of its issues any more", () => {
  test("ends no run at once: it may have lost them itself", async () => {
    const tracker = new MemoryTracker(issueOf("A"), issueOf("B"));
    await using at = await place(tracker, { behaviour: "hang" });
    await at.orchestrator.start();
    await at.until("both", ({ running }) => running.filter(({ turnId }) => turnId !== null).length === 2);
    const issues = [...tracker.issues];
    tracker.issues.clear();
    for (let look = 0; look < 2; look++) await at.look();
    assert.equal(at.orchestrator.snapshot().running.length, 2);
    assert.match(at.log(), /warn the tracker shows none of 2 issues; their runs continue/);
    for (const [id, issue] of issues) tracker.issues.set(id, issue);
    await at.look();
    tracker.issues.clear();
    for (let look = 0; look < 3; look++) await at.look();
    await at.until("the end", ({ running }) => running.length === 0);
  });
});
