import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { LockedError, Orchestrator, SnapshotError } from "@quire/orchestrator";
import { assertNoProcesses, eventually } from "@quire/testkit";
import { issueOf, MemoryTracker } from "./support/memory-tracker.ts";
import { again, type Place, place } from "./support/place.ts";

const runs = (at: Place) => at.events.filter(({ type }) => type === "run.started").length;

/** For tests that move the clock while processes work. */
const noStalls = { codex: { stall_timeout_ms: 0 } };

/** Lets time pass, in such steps, until an orchestrator has ended by itself. */
async function untilEnd({ clock }: Place, { done }: Orchestrator, stepMs: number): Promise<void> {
  let over = false;
  void done.then(() => {
    over = true;
  });
  const pass = () => {
    clock.advance(stepMs);
    return over;
  };
  await eventually(pass, { timeoutMs: 30_000 });
}

describe("the life of an orchestrator", () => {
  test("a workflow that cannot be used keeps it from starting, and no lock is left", async () => {
    const tracker = new MemoryTracker();
    await using at = await place(tracker);
    await at.orchestrator.shutDown();
    const good = readFileSync(at.workflow, "utf8");
    at.write("---\ntracker: {kind: memory}\npolling: {interval_ms: x}\n---\n");
    assert.throws(() => again(at, tracker), /polling.interval_ms/);
    at.write(good);
    await using second = again(at, tracker);
    await second.start();
  });

  test("two orchestrators never work on one workflow", async () => {
    const tracker = new MemoryTracker();
    await using at = await place(tracker);
    assert.throws(() => again(at, tracker), LockedError);
  });

  test("a place for the state that cannot be written is told with what to do", async () => {
    const tracker = new MemoryTracker();
    await using at = await place(tracker);
    const options = { workflow: at.workflow, adapters: { memory: tracker.adapter } };
    assert.throws(
      () => new Orchestrator({ ...options, env: { QUIRE_HOME: at.workflow } }),
      /set QUIRE_HOME to a writable folder/,
    );
  });

  test("before the start and after the end there is no snapshot, and it says so", async () => {
    await using at = await place(new MemoryTracker());
    const unavailable = (error: unknown) => error instanceof SnapshotError && error.code === "unavailable";
    assert.throws(() => at.orchestrator.snapshot(), unavailable);
    await at.orchestrator.start();
    at.orchestrator.snapshot();
    await at.orchestrator.shutDown();
    assert.throws(() => at.orchestrator.snapshot(), unavailable);
  });

  test("stopped, it ends what runs, and the next one begins it again, once", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "child", settings: { hooks: { after_run: "touch after" } } });
    await at.orchestrator.start();
    await at.until("the turn", ({ running: [run] }) => run?.turnId != null);
    const pid = at.orchestrator.snapshot().running[0]?.pid ?? 0;
    const [{ run } = { run: "" }] = at.wire("A");
    await at.orchestrator.shutDown();
    assert.throws(() => process.kill(pid, 0));
    await assertNoProcesses({ tag: `QUIRE_RUN=${run}` });
    await using second = again(at, tracker);
    await second.start();
    await eventually(
      () => {
        at.clock.advance(0);
        return second.snapshot().running[0]?.turnId != null;
      },
      { timeoutMs: 30_000 },
    );
    assert.equal(at.wire("A").filter(({ started }) => started !== undefined).length, 2);
    assert.equal(second.snapshot().running[0]?.attempt, 1, "being stopped is no failure, but it is not the first run");
  });

  test("drained, it begins nothing, lets turns end, and goes on where it was next time", async () => {
    const tracker = new MemoryTracker(issueOf("A"), issueOf("B"));
    await using at = await place(tracker, { behaviour: "noop", settings: { agent: { max_concurrent_agents: 1 } } });
    await at.orchestrator.start();
    await at.until("the run", ({ running }) => running.length === 1);
    at.orchestrator.drain();
    assert.equal(at.orchestrator.snapshot().mode, "draining");
    await at.orchestrator.done;
    assert.equal(runs(at), 1);
    assert.equal(
      at.wire("A").filter(({ method }) => method === "turn/start").length,
      1,
      "the turn under way was the last",
    );
    await at.orchestrator.shutDown();
    await using second = again(at, tracker);
    await second.start();
    assert.deepEqual(
      second.snapshot().retrying.map(({ identifier, error }) => [identifier, error]),
      [["A", null]],
    );
  });

  test("what was drained is worked on by one that works through all once", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "noop", settings: { ...noStalls, agent: { max_turns: 1 } } });
    await at.orchestrator.start();
    await at.until("the run", ({ running }) => running.length === 1);
    at.orchestrator.drain();
    await at.orchestrator.done;
    await at.orchestrator.shutDown();
    await using second = again(at, tracker, { once: true });
    await second.start();
    await untilEnd(at, second, 1000);
    assert.equal(at.wire("A").filter(({ method }) => method === "turn/start").length, 2);
  });

  test("what waits and what is blocked is so still after a restart", async () => {
    const tracker = new MemoryTracker(issueOf("A"), issueOf("B"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("both to wait", ({ retrying }) => retrying.length === 2);
    at.orchestrator.stop("B");
    const {
      retrying: [before],
    } = at.orchestrator.snapshot();
    await at.orchestrator.shutDown();
    await using second = again(at, tracker);
    await second.start();
    const { retrying, blocked } = second.snapshot();
    assert.deepEqual([retrying[0]?.identifier, retrying[0]?.dueAt, retrying[0]?.attempt], ["A", before?.dueAt, 1]);
    assert.deepEqual(
      blocked.map(({ identifier, reason }) => [identifier, reason.code]),
      [["B", "stopped_by_operator"]],
    );
  });

  test("worked through once, it ends by itself, and says whether all was done", async () => {
    const tracker = new MemoryTracker(issueOf("A"), issueOf("B"), issueOf("C"));
    await using at = await place(tracker, {
      once: true,
      settings: { ...noStalls, agent: { max_concurrent_agents: 2 } },
    });
    await at.orchestrator.start();
    await untilEnd(at, at.orchestrator, 1000);
    assert.equal(runs(at), 3);
    assert.equal(at.orchestrator.incomplete, false);
  });

  test("worked through once, an issue that stays active is begun once, and one that fails three more times", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    for (const [behaviour, count, incomplete] of [
      ["noop", 1, false],
      ["fail", 4, true],
    ] as const) {
      await using at = await place(tracker, {
        behaviour,
        once: true,
        settings: { ...noStalls, agent: { max_turns: 1 } },
      });
      await at.orchestrator.start();
      await untilEnd(at, at.orchestrator, 40_000);
      assert.equal(runs(at), count);
      assert.equal(at.orchestrator.incomplete, incomplete);
    }
  });

  test("the tracker's secrets reach neither the app-server nor hooks", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    tracker.secretEnvNames = ["TEST_SECRET"];
    await using at = await place(tracker, {
      behaviour: "noop",
      env: { PATH: process.env.PATH, HOME: "/nowhere", TEST_SECRET: "hunter2" },
      settings: { agent: { max_turns: 1 }, hooks: { before_run: "env > env.txt" } },
    });
    await at.orchestrator.start();
    await at.until("the end", ({ retrying }) => retrying.length === 1);
    assert.equal(at.wire("A")[0]?.secret, null);
    const env = readFileSync(join(at.root, "A", "env.txt"), "utf8");
    assert.doesNotMatch(env, /hunter2/);
    assert.match(env, /^QUIRE_ISSUE_IDENTIFIER=A$/m);
  });

  test("a snapshot has what runs with its turns, what waits, tokens, seconds and limits", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "tokens", settings: { agent: { max_turns: 1 } } });
    await at.orchestrator.start();
    await at.until("the end", ({ retrying }) => retrying.length === 1);
    at.clock.advance(500);
    const { totals, rateLimits, trackerKind, retrying } = at.orchestrator.snapshot();
    assert.deepEqual([totals.inputTokens, totals.outputTokens, totals.totalTokens], [290, 10, 300]);
    assert.equal(rateLimits?.primary?.usedPercent, 42);
    assert.deepEqual([trackerKind, retrying.length], ["memory", 1]);
    const detail = at.orchestrator.issue("A");
    assert.equal(detail?.status, "retrying");
    const phases = detail?.timeline.flatMap(({ kind, name }) => (kind === "phase" ? [name] : []));
    assert.deepEqual(phases, [
      "PreparingWorkspace",
      "BuildingPrompt",
      "LaunchingAgentProcess",
      "InitializingSession",
      "StreamingTurn",
      "Finishing",
      "Succeeded",
    ]);
  });

  test("seconds of runs count while they run", async () => {
    await using at = await place(new MemoryTracker(issueOf("A")), { behaviour: "hang" });
    await at.orchestrator.start();
    await at.until("the run", ({ running }) => running.length === 1);
    const before = at.orchestrator.snapshot().totals.secondsRunning;
    at.clock.advance(5000);
    assert.equal(at.orchestrator.snapshot().totals.secondsRunning - before, 5);
  });

  test("a change of the workflow counts for runs that begin later, and trackers no longer used are closed", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the failure", ({ retrying }) => retrying.length === 1);
    at.write(readFileSync(at.workflow, "utf8").replace("'fail'", "'noop'").replace("Work on", "Continue with"));
    await eventually(() => at.events.some((event) => event.type === "workflow.reloaded" && event.error === null));
    at.clock.advance(10_000);
    await at.until("the good run", ({ retrying: [entry] }) => entry?.error === null);
    const prompts = at
      .wire("A")
      .filter(({ method }) => method === "turn/start")
      .map(({ params }) => params.input[0].text);
    assert.ok(prompts.includes("Continue with A, attempt 1."));
    await eventually(() => tracker.closed === 1);
  });
});
