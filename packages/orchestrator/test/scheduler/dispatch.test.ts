import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually, gate } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { fakeAgent, place, workflowText } from "../support/place.ts";

const started = (events: readonly { type: string; identifier?: string }[]) =>
  events.flatMap(({ type, identifier }) => (type === "run.started" ? [identifier] : []));

describe("17.4 dispatch", () => {
  test("the first look at the tracker is immediate, and an issue is worked on until it is done", async () => {
    const tracker = new MemoryTracker(issueOf("A-1"));
    await using at = await place(tracker);
    await at.orchestrator.start();
    await at.until("the run to end", ({ retrying }) => retrying.length === 1);
    assert.equal(tracker.state("A-1"), "Done");
    at.clock.advance(1000);
    const { finished } = await at.until("the issue to be let go", (snapshot) => snapshot.finished.length === 1);
    assert.deepEqual([finished[0]?.outcome, finished[0]?.reason, finished[0]?.attempts], ["Succeeded", "terminal", 1]);
    assert.ok(!existsSync(join(at.root, "A-1")), "the workspace of a finished issue is removed");
  });

  test("issues are begun by priority, then the oldest, then by name; without a priority comes last", async () => {
    const tracker = new MemoryTracker(
      issueOf("E", { priority: null, createdAt: "2020-01-01T00:00:00Z" }),
      issueOf("F", { priority: 9, createdAt: null }),
      issueOf("C", { priority: 2, createdAt: "2024-01-02T00:00:00Z" }),
      issueOf("B", { priority: 2, createdAt: "2024-01-01T00:00:00Z" }),
      issueOf("A", { priority: 1, createdAt: "2025-01-01T00:00:00Z" }),
      issueOf("D2", { priority: 4, createdAt: null }),
      issueOf("D1", { priority: 4, createdAt: null }),
    );
    await using at = await place(tracker, { behaviour: "hang" });
    await at.orchestrator.start();
    await at.until("all to run", ({ running }) => running.length === 7);
    assert.deepEqual(started(at.events), ["A", "B", "C", "D1", "D2", "E", "F"]);
  });

  test("an issue that is not ready, not active, terminal, incomplete or without its labels is not begun", async () => {
    const tracker = new MemoryTracker(
      issueOf("blocked", { dispatchable: false }),
      issueOf("backlog", { state: "Backlog" }),
      issueOf("over", { state: "done" }),
      issueOf("untitled", { title: " " }),
      issueOf("unlabelled", { labels: ["agent"] }),
      issueOf("ready", { state: " todo ", labels: ["agent", "safe"] }),
    );
    await using at = await place(tracker, {
      behaviour: "hang",
      settings: { tracker: { active_states: ["Todo", " todo ", "done"], required_labels: [" Agent", "SAFE "] } },
    });
    await at.orchestrator.start();
    const { running } = await at.until("a run", (snapshot) => snapshot.health.lastTickAt !== null);
    assert.deepEqual(
      running.map(({ identifier }) => identifier),
      ["ready"],
    );
  });

  test("issues that wait are shown with their reason, the next first", async () => {
    const tracker = new MemoryTracker(
      issueOf("A", { priority: 1 }),
      issueOf("B", { priority: 2 }),
      issueOf("C", { dispatchable: false, blockedBy: [{ id: "id-A", identifier: "A", state: "Todo" }] }),
    );
    await using at = await place(tracker, { behaviour: "hang", settings: { agent: { max_concurrent_agents: 1 } } });
    await at.orchestrator.start();
    const { waiting, waitingCount } = await at.until("a look", ({ health }) => health.lastTickAt !== null);
    assert.deepEqual(
      waiting.map(({ identifier, reason }) => [identifier, reason]),
      [
        ["B", "no free slot"],
        ["C", "it waits for A"],
      ],
    );
    assert.equal(waitingCount, 2);
  });

  test("a blank required label matches no issue", async () => {
    const tracker = new MemoryTracker(issueOf("A", { labels: ["", "x"] }));
    await using at = await place(tracker, { settings: { tracker: { required_labels: [" "] } } });
    await at.orchestrator.start();
    await at.until("a look", ({ health }) => health.lastTickAt !== null);
    assert.deepEqual(started(at.events), []);
  });

  test("an issue whose blockers are over becomes ready and is begun at the next look", async () => {
    const tracker = new MemoryTracker(issueOf("A", { dispatchable: false }));
    await using at = await place(tracker, { behaviour: "hang" });
    await at.orchestrator.start();
    await at.until("a look", ({ health }) => health.lastTickAt !== null);
    assert.deepEqual(started(at.events), []);
    tracker.change("A", { dispatchable: true });
    at.clock.advance(30_000);
    await at.until("the run", ({ running }) => running.length === 1);
  });

  test("no more runs than max_concurrent_agents, and one that ends makes room for the next at once", async () => {
    const tracker = new MemoryTracker(...["A", "B", "C", "D"].map((name) => issueOf(name)));
    await using at = await place(tracker, { settings: { agent: { max_concurrent_agents: 2 } } });
    let most = 0;
    at.orchestrator.subscribe(() => {
      most = Math.max(most, at.orchestrator.snapshot().running.length);
    });
    await at.orchestrator.start();
    await eventually(() => started(at.events).length === 4, { timeoutMs: 30_000 });
    await at.until("all to end", ({ running }) => running.length === 0);
    assert.equal(most, 2);
  });

  test("no more runs in a state than its own limit, others go on", async () => {
    const tracker = new MemoryTracker(
      issueOf("A"),
      issueOf("B"),
      issueOf("C", { state: "In Progress" }),
      issueOf("D", { state: "in progress" }),
    );
    await using at = await place(tracker, {
      behaviour: "hang",
      settings: { agent: { max_concurrent_agents_by_state: { TODO: 1, " In Progress ": 1 } } },
    });
    await at.orchestrator.start();
    const { running } = await at.until("a look", ({ health }) => health.lastTickAt !== null);
    assert.deepEqual(
      running.map(({ identifier }) => identifier),
      ["A", "C"],
    );
  });

  test("a state without room does not keep those behind it from a slot that gets free", async () => {
    const tracker = new MemoryTracker(
      issueOf("A", { priority: 1 }),
      issueOf("B", { priority: 1, state: "In Progress" }),
      issueOf("C", { priority: 2 }),
      issueOf("D", { priority: 3, state: "In Progress" }),
    );
    const limits = { max_concurrent_agents: 2, max_concurrent_agents_by_state: { todo: 1 } };
    await using at = await place(tracker, { behaviour: "wait", settings: { agent: limits } });
    await at.orchestrator.start();
    await at.until("two turns", ({ running }) => running.filter(({ turnId }) => turnId !== null).length === 2);
    writeFileSync(join(at.root, "B", "go"), "");
    const { running } = await at.until("D", (snapshot) =>
      snapshot.running.some(({ identifier }) => identifier === "D"),
    );
    assert.ok(running.some(({ identifier }) => identifier === "A"));
    assert.deepEqual(started(at.events), ["A", "B", "D"]);
  });

  test("an issue that is running or waits is never begun a second time", async () => {
    const tracker = new MemoryTracker(issueOf("A"), issueOf("B"));
    await using at = await place(tracker, { behaviour: "hang" });
    await at.orchestrator.start();
    await at.until("both to run", ({ running }) => running.length === 2);
    for (let look = 0; look < 3; look++) await at.look();
    assert.deepEqual(started(at.events), ["A", "B"]);
  });

  test("an issue that is let go while a list is on its way is not begun again by that list", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the failure", ({ retrying }) => retrying.length === 1);
    const answer = gate();
    tracker.hold = answer;
    const lists = () => tracker.calls.filter(({ method }) => method === "states").length;
    const before = lists();
    at.orchestrator.refresh();
    await eventually(() => lists() > before);
    tracker.move("A", "Done");
    at.clock.advance(10_000);
    await at.until("the end", ({ finished }) => finished.length === 1);
    const looked = at.ticks();
    answer.open();
    await eventually(() => at.ticks() > looked);
    assert.deepEqual(started(at.events), ["A"]);
  });

  test("a tracker that is down begins nothing, is shown, and is asked again at the next look", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    tracker.failure = new Error("connection refused");
    await using at = await place(tracker, { behaviour: "hang" });
    await at.orchestrator.start();
    const { health } = await at.until("the failure", (snapshot) => snapshot.health.trackerError !== null);
    assert.match(health.trackerError?.message ?? "", /connection refused/);
    assert.match(at.log(), /error dispatch failed: connection refused/);
    tracker.failure = undefined;
    at.clock.advance(30_000);
    const later = await at.until("the run", ({ running }) => running.length === 1);
    assert.equal(later.health.trackerError, null);
  });

  test("a workflow edited into a syntax error begins nothing new, keeps what runs, and says why, until it is mended", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "hang" });
    await at.orchestrator.start();
    await at.until("the run", ({ running }) => running.length === 1);
    at.write("---\ntracker: [\n---\n");
    const bad = await at.until("the error", ({ health }) => health.workflowError !== null);
    assert.equal(bad.health.workflowError?.code, "workflow_parse_error");
    tracker.issues.set("id-B", issueOf("B"));
    at.clock.advance(30_000);
    await at.look();
    assert.deepEqual(started(at.events), ["A"]);
    assert.equal(at.orchestrator.snapshot().running.length, 1);
    at.write(
      workflowText({
        tracker: { kind: "memory" },
        workspace: { root: at.root },
        codex: { command: fakeAgent("hang") },
      }),
    );
    await at.until("the other run", ({ running }) => running.length === 2);
    assert.equal(at.orchestrator.snapshot().health.workflowError, null);
  });

  test("a prompt that cannot be rendered fails the run, not the service", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { body: "{{ issue.no_such_thing }}" });
    await at.orchestrator.start();
    const { retrying } = await at.until("the failure", (snapshot) => snapshot.retrying.length === 1);
    assert.match(retrying[0]?.error ?? "", /template_render_error/);
  });
});
