import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { place } from "../support/place.ts";

const runs = (events: readonly { type: string; attempt?: number }[]) =>
  events.flatMap(({ type, attempt }) => (type === "run.started" ? [attempt] : []));

describe("17.4 retries", () => {
  test("after a good run an issue that is still active is looked at again after a second, as attempt 1", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "noop", settings: { agent: { max_turns: 1 } } });
    await at.orchestrator.start();
    const {
      retrying: [entry],
      generatedAt,
    } = await at.until("the retry", ({ retrying }) => retrying.length === 1);
    assert.deepEqual([entry?.attempt, entry?.error, (entry?.dueAt ?? 0) - generatedAt], [1, null, 1000]);
    at.clock.advance(999);
    assert.deepEqual(runs(at.events), [0]);
    at.clock.advance(1);
    await eventually(() => runs(at.events).length === 2);
    assert.deepEqual(runs(at.events), [0, 1]);
  });

  test("turns of one run go on one thread, the first with the prompt, the others with guidance only, up to max_turns", async () => {
    const tracker = new MemoryTracker(issueOf("A", { state: "In Progress" }));
    await using at = await place(tracker, { behaviour: "noop", settings: { agent: { max_turns: 3 } } });
    await at.orchestrator.start();
    await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
    const wire = at.wire("A");
    const turns = wire.filter(({ method }) => method === "turn/start");
    assert.equal(turns.length, 3);
    assert.deepEqual(new Set(turns.map(({ params }) => params.threadId)), new Set(["thread-1"]));
    const prompts = turns.map(({ params }) => params.input[0].text as string);
    assert.equal(prompts[0], "Work on A, attempt .");
    assert.match(prompts[1] ?? "", /A is still in the state "In Progress"/);
    assert.doesNotMatch(prompts[1] ?? "", /Work on A/);
    assert.match(prompts[2] ?? "", /turn 3 of at most 3/);
    assert.equal(wire.filter(({ started }) => started !== undefined).length, 1, "one process for all turns");
  });

  test("a run ends as soon as its issue is not active any more", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, {
      behaviour: "third",
      settings: { hooks: { before_remove: "cp wire.jsonl ../kept" } },
    });
    await at.orchestrator.start();
    await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
    assert.equal(at.wire("A").filter(({ method }) => method === "turn/start").length, 3);
  });

  test("failures are tried again after 10 s, 20 s, 40 s, up to max_retry_backoff_ms, each with its error", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail", settings: { agent: { max_retry_backoff_ms: 30_000 } } });
    await at.orchestrator.start();
    for (const [attempt, delay] of [
      [1, 10_000],
      [2, 20_000],
      [3, 30_000],
      [4, 30_000],
    ] as const) {
      const {
        retrying: [entry],
        generatedAt,
      } = await at.until(`attempt ${attempt}`, ({ retrying }) => retrying[0]?.attempt === attempt);
      assert.equal((entry?.dueAt ?? 0) - generatedAt, delay);
      assert.equal(entry?.identifier, "A");
      assert.match(entry?.error ?? "", /^turn_failed: the model is gone/);
      at.clock.advance(delay);
    }
    assert.deepEqual(runs(at.events).slice(0, 4), [0, 1, 2, 3]);
  });

  test("the template sees the attempt", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the retry", ({ retrying }) => retrying.length === 1);
    at.clock.advance(10_000);
    await at.until("the next", ({ retrying }) => retrying[0]?.attempt === 2);
    const prompts = at
      .wire("A")
      .filter(({ method }) => method === "turn/start")
      .map(({ params }) => params.input[0].text);
    assert.deepEqual(prompts, ["Work on A, attempt .", "Work on A, attempt 1."]);
  });

  test("when its time comes, an issue that is gone is let go", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the retry", ({ retrying }) => retrying.length === 1);
    tracker.issues.clear();
    at.clock.advance(10_000);
    const { finished } = await at.until("the end", (snapshot) => snapshot.finished.length === 1);
    assert.equal(finished[0]?.reason, "missing");
  });

  test("when its time comes, an issue that is not active is let go, its workspace stays", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the retry", ({ retrying }) => retrying.length === 1);
    tracker.move("A", "Backlog");
    at.clock.advance(10_000);
    const { finished } = await at.until("the end", (snapshot) => snapshot.finished.length === 1);
    assert.equal(finished[0]?.reason, "inactive");
    assert.ok(at.wire("A").length > 0);
  });

  test("when its time comes, an issue that is over is let go, and its workspace goes", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the retry", ({ retrying }) => retrying.length === 1);
    assert.ok(existsSync(join(at.root, "A")));
    tracker.move("A", "Done");
    at.clock.advance(10_000);
    const { finished } = await at.until("the end", (snapshot) => snapshot.finished.length === 1);
    assert.equal(finished[0]?.reason, "terminal");
    assert.ok(!existsSync(join(at.root, "A")));
  });

  test("a tracker that cannot be asked then counts as a failed attempt", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the retry", ({ retrying }) => retrying.length === 1);
    tracker.failure = new Error("down");
    at.clock.advance(10_000);
    const {
      retrying: [entry],
    } = await at.until("the next", ({ retrying }) => retrying[0]?.attempt === 2);
    assert.equal(entry?.error, "retry refresh failed: down");
  });

  test("without a free slot it waits on and says so, and is begun when one is free", async () => {
    const tracker = new MemoryTracker(issueOf("A", { priority: 1 }), issueOf("B", { priority: 2 }));
    await using at = await place(tracker, { behaviour: "hang", settings: { agent: { max_concurrent_agents: 1 } } });
    await at.orchestrator.start();
    await at.until("A to run", ({ running }) => running[0]?.identifier === "A");
    assert.equal(at.orchestrator.stop("A"), "done");
    await at.until("B to run", ({ running, blocked }) => running[0]?.identifier === "B" && blocked.length === 1);
    assert.equal(at.orchestrator.retry("A"), "done");
    const {
      retrying: [entry],
    } = await at.until("A to wait", ({ retrying }) => retrying[0]?.error === "no available orchestrator slots");
    assert.equal(entry?.identifier, "A");
    at.orchestrator.stop("B");
    await at.until("A to run again", ({ running }) => running[0]?.identifier === "A");
  });

  test("a new retry of an issue takes the place of the old one", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the retry", ({ retrying }) => retrying.length === 1);
    at.orchestrator.retry("A");
    await at.until("attempt 2", ({ retrying }) => retrying[0]?.attempt === 2);
    at.clock.advance(10_000);
    await at.look();
    assert.deepEqual(runs(at.events), [0, 1], "the first timer, due now, is gone");
  });

  test("an issue that needs a person waits, is not tried by itself, and goes on when told to or when its state changes", async () => {
    const tracker = new MemoryTracker(issueOf("A"), issueOf("B"));
    await using at = await place(tracker, {
      behaviour: "approval",
      settings: { codex: { approval_policy: "on-request" } },
    });
    await at.orchestrator.start();
    const { blocked } = await at.until("both to be blocked", (snapshot) => snapshot.blocked.length === 2);
    assert.deepEqual(
      blocked.map(({ reason }) => reason.code),
      ["approval_required", "approval_required"],
    );
    at.clock.advance(3_600_000);
    await at.look();
    assert.deepEqual(runs(at.events), [0, 0]);
    assert.equal(at.orchestrator.retry("A"), "done");
    await eventually(() => runs(at.events).length === 3);
    tracker.move("B", "In Progress");
    at.orchestrator.refresh();
    await eventually(() => runs(at.events).length === 4);
    assert.equal(at.orchestrator.retry("nobody"), "issue_not_found");
  });
});
