import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { place } from "../support/place.ts";

const hour = 3_600_000;

describe("a time of day that is set", () => {
  test("ahead ends no run as stalled", async () => {
    await using at = await place(new MemoryTracker(issueOf("A")), { behaviour: "hang" });
    await at.orchestrator.start();
    await at.until("the turn", ({ running: [run] }) => run?.phase === "StreamingTurn" && run.turnId !== null);
    at.clock.set(at.clock.now() + hour);
    await at.look();
    assert.equal(at.orchestrator.snapshot().running.length, 1);
  });

  test("back delays no retry and takes back no time of work", async () => {
    await using at = await place(new MemoryTracker(issueOf("A")), { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the failure", ({ retrying }) => retrying.length === 1);
    at.clock.set(at.clock.now() - hour);
    at.clock.advance(10_000);
    const { totals } = await at.until("the next", ({ retrying: [retry] }) => retry?.attempt === 2);
    assert.ok(totals.secondsRunning >= 0, `${totals.secondsRunning} s`);
  });

  test("back while a run is under way takes back no time of work", async () => {
    await using at = await place(new MemoryTracker(issueOf("A")), { behaviour: "hang" });
    await at.orchestrator.start();
    await at.until("the turn", ({ running: [run] }) => run?.turnId !== undefined && run.turnId !== null);
    at.clock.set(at.clock.now() - hour);
    at.clock.advance(2000);
    assert.equal(at.orchestrator.snapshot().totals.secondsRunning, 2);
  });
});
