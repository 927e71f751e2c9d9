import assert from "node:assert/strict";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { assertNoProcesses, eventually } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { type Place, place } from "../support/place.ts";

/** A run that is under way in a turn. */
async function running(tracker: MemoryTracker, settings: Record<string, Record<string, unknown>> = {}): Promise<Place> {
  const at = await place(tracker, { behaviour: "hang", settings });
  await at.orchestrator.start();
  await at.until("the turn", ({ running: [run] }) => run?.phase === "StreamingTurn" && run.turnId !== null);
  return at;
}

describe("17.4 reconciliation", () => {
  test("with nothing under way the tracker is not asked for any issue by id", async () => {
    const tracker = new MemoryTracker();
    await using at = await place(tracker);
    await at.orchestrator.start();
    await at.until("a look", ({ health }) => health.lastTickAt !== null);
    at.clock.advance(30_000);
    await eventually(() => tracker.calls.filter(({ method }) => method === "states").length >= 3);
    assert.deepEqual(
      tracker.calls.filter(({ method }) => method === "ids"),
      [],
    );
  });

  test("an issue that is still active goes on, with what is new about it", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await running(tracker);
    tracker.change("A", { state: "In Progress", title: "Another title" });
    at.orchestrator.refresh();
    const {
      running: [run],
    } = await at.until("the new state", (snapshot) => snapshot.running[0]?.state === "In Progress");
    assert.equal(run?.title, "Another title");
  });

  test("an issue that is over ends its run and its workspace", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await running(tracker);
    const pid = at.orchestrator.snapshot().running[0]?.pid ?? 0;
    tracker.move("A", "Done");
    at.orchestrator.refresh();
    const { finished } = await at.until("the end", (snapshot) => snapshot.finished.length === 1);
    assert.deepEqual([finished[0]?.outcome, finished[0]?.reason], ["CanceledByReconciliation", "terminal"]);
    assert.ok(!existsSync(join(at.root, "A")));
    assert.throws(() => process.kill(pid, 0), "the process is gone");
    await assertNoProcesses({ descendantsOf: pid });
  });

  for (const [what, change] of [
    ["is not active any more", (tracker: MemoryTracker) => tracker.move("A", "Backlog")],
    ["is not ready any more", (tracker: MemoryTracker) => tracker.change("A", { dispatchable: false })],
    ["is no longer visible", (tracker: MemoryTracker) => void tracker.issues.clear()],
  ] as const) {
    test(`an issue that ${what} ends its run and keeps its workspace`, async () => {
      const tracker = new MemoryTracker(issueOf("A"));
      await using at = await running(tracker);
      change(tracker);
      at.orchestrator.refresh();
      await at.until("the end", ({ finished }) => finished.length === 1);
      assert.ok(existsSync(join(at.root, "A", "wire.jsonl")));
      assert.equal(at.orchestrator.snapshot().running.length, 0);
    });
  }

  test("a tracker that cannot be asked leaves runs alone", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await running(tracker);
    tracker.failure = new Error("no route");
    at.orchestrator.refresh();
    await eventually(() => /could not refresh running issues; their runs continue: no route/.test(at.log()));
    assert.equal(at.orchestrator.snapshot().running.length, 1);
  });

  test("a run in which nothing happens for too long is ended and tried again", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await running(tracker, { codex: { stall_timeout_ms: 60_000 } });
    at.clock.advance(60_000);
    assert.equal(at.orchestrator.snapshot().running.length, 1, "not before its time");
    at.clock.advance(30_000);
    const { retrying } = await at.until("the retry", (snapshot) => snapshot.retrying.length === 1);
    assert.match(retrying[0]?.error ?? "", /^stalled: Nothing happened for \d+ ms/);
    assert.equal(retrying[0]?.attempt, 1);
    assert.equal(at.orchestrator.issue("A")?.lastError?.code, "stalled");
  });

  test("a stall timeout of 0 ends nothing", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await running(tracker, { codex: { stall_timeout_ms: 0 } });
    at.clock.advance(100_000_000);
    await at.look();
    assert.equal(at.orchestrator.snapshot().running.length, 1);
  });

  test("on start, workspaces of issues that are over are removed, others stay", async () => {
    const tracker = new MemoryTracker(issueOf("over", { state: "Done" }), issueOf("open", { state: "Backlog" }));
    await using at = await place(tracker);
    mkdirSync(join(at.root, "over"));
    mkdirSync(join(at.root, "open"));
    await at.orchestrator.start();
    assert.ok(!existsSync(join(at.root, "over")));
    assert.ok(existsSync(join(at.root, "open")));
  });

  test("a tracker that is down does not keep the service from starting", async () => {
    const tracker = new MemoryTracker();
    tracker.failure = new Error("down");
    await using at = await place(tracker);
    await at.orchestrator.start();
    assert.match(at.log(), /warn could not clean up workspaces of finished issues: down/);
  });
});
