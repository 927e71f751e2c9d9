import { Database } from "bun:sqlite";
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { again, crashImage, type Place, place } from "../support/place.ts";

const patience = { timeoutMs: 30_000 };
const phases = (at: Place, issue = at.orchestrator.issue("A")) =>
  issue?.timeline.flatMap(({ kind, name, run }) => (kind === "phase" ? [`${run} ${name}`] : [])) ?? [];

describe("after a restart", () => {
  test("totals, finished issues and what happened in their runs are as they were", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "tokens", settings: { agent: { max_turns: 1 } } });
    await at.orchestrator.start();
    await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
    tracker.move("A", "Review");
    at.clock.advance(1000);
    const before = await at.until("it to be let go", ({ finished }) => finished.length === 1);
    const detail = at.orchestrator.issue("A");
    assert.deepEqual([before.totals.totalTokens, detail?.finished?.reason], [300, "inactive"]);
    assert.equal(detail?.workspace, join(at.root, "A"), "where its work is found");
    await at.orchestrator.shutDown();

    await using second = again(at, tracker);
    await second.start();
    const after = second.snapshot();
    assert.deepEqual(after.totals, before.totals);
    assert.deepEqual(after.finished, before.finished);
    assert.deepEqual(second.issue("A"), detail);
    assert.ok(detail.timeline.some(({ kind }) => kind === "turn_completed"));
  });

  test("a further run's tokens are added, and its timeline goes on after the earlier one's", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "tokens", settings: { agent: { max_turns: 1 } } });
    await at.orchestrator.start();
    await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
    await at.orchestrator.shutDown();
    await using second = again(at, tracker);
    await second.start();
    at.clock.advance(1000);
    await eventually(() => second.snapshot().totals.totalTokens === 600, patience);
    await eventually(() => second.snapshot().retrying.length === 1, patience);
    const seen = phases(at, second.issue("A"));
    assert.deepEqual(
      [seen.filter((phase) => phase.startsWith("1 ")).length, seen.filter((phase) => phase.startsWith("2 ")).length],
      [7, 7],
    );
    assert.ok(seen.indexOf("1 Succeeded") < seen.indexOf("2 PreparingWorkspace"));
  });

  test("what a run had used when the orchestrator was killed counts, once", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "spend", settings: { codex: { stall_timeout_ms: 0 } } });
    await at.orchestrator.start();
    await at.until("the tokens", ({ totals }) => totals.totalTokens === 250);
    at.clock.advance(1000);
    const stateFile = crashImage(at);
    await at.orchestrator.shutDown();
    tracker.move("A", "Review");
    for (const attempt of [1, 2]) {
      await using next = again(at, tracker, { stateFile });
      await next.start();
      at.clock.advance(0);
      await eventually(() => next.snapshot().finished.length === 1, patience);
      const { totals, finished } = next.snapshot();
      assert.equal(totals.totalTokens, 250, `start ${attempt}`);
      assert.deepEqual([finished[0]?.tokens.totalTokens, finished[0]?.turnCount], [250, 1]);
      assert.equal(finished[0]?.threadId, "thread-1");
      assert.ok(
        phases(at, next.issue("A")).includes("1 StreamingTurn"),
        "what was on its way half a second ago is kept",
      );
    }
  });

  test("runs that were cut off come before fresh issues, however urgent those are", async () => {
    const tracker = new MemoryTracker(...["A", "B"].map((name) => issueOf(name, { priority: 4 })));
    await using at = await place(tracker, { behaviour: "hang", settings: { agent: { max_concurrent_agents: 2 } } });
    await at.orchestrator.start();
    await at.until("both turns", ({ running }) => running.filter(({ turnId }) => turnId !== null).length === 2);
    await at.orchestrator.shutDown();
    for (const name of ["X", "Y", "Z"]) tracker.issues.set(`id-${name}`, issueOf(name, { priority: 1 }));
    await using next = again(at, tracker);
    await next.start();
    await eventually(() => next.snapshot().health.lastTickAt !== null, patience);
    const { running } = next.snapshot();
    assert.deepEqual(running.map(({ identifier }) => identifier).sort(), ["A", "B"]);
  });

  test("a timeline holds its last 200 lines, however often the orchestrator was started", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "chatty", settings: { agent: { max_turns: 1 } } });
    await at.orchestrator.shutDown();
    for (let start = 1; start <= 3; start++) {
      await using next = again(at, tracker);
      await next.start();
      at.clock.advance(1000);
      await eventually(() => next.issue("A")?.runs === start && next.snapshot().retrying.length === 1, patience);
      const { timeline = [] } = next.issue("A") ?? {};
      assert.equal(timeline.length, 200);
      assert.deepEqual([timeline.at(-1)?.name, timeline.at(-1)?.run], ["Succeeded", start]);
    }
    using file = new Database(join(at.path, "state.sqlite"), { readonly: true });
    const { lines } = file.query("SELECT count(*) AS lines FROM timeline").get() as { lines: number };
    assert.ok(lines < 600, `${lines} of 780 lines are kept`);
  });

  test("a hook that removes a workspace is ended before another can begin", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    const hooks = { before_remove: 'echo $$ > "$HOME/hook.pid"; sleep 1000' };
    await using at = await place(tracker, { behaviour: "fail", settings: { hooks } });
    await at.orchestrator.start();
    await at.until("the failure", ({ retrying }) => retrying.length === 1);
    tracker.move("A", "Done");
    at.clock.advance(10_000);
    const file = join(at.path, "hook.pid");
    // The shell makes the file before it writes to it.
    const pid = await eventually(() => existsSync(file) && (Number(readFileSync(file, "utf8")) || false), patience);
    const stateFile = crashImage(at);
    at.write(readFileSync(at.workflow, "utf8").replace("sleep 1000", "true"));
    await using next = again(at, tracker, { stateFile });
    await next.start();
    await eventually(() => !isAlive(pid), patience);
    at.clock.advance(0);
    await eventually(() => next.snapshot().finished.length === 1, patience);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
