import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { eventually } from "@quire/testkit";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { again, type Place, place } from "../support/place.ts";

const ends = (at: Place) => at.events.flatMap((event) => (event.type === "run.ended" ? [event.outcome] : []));

/** Has the issue's next run end, and the issue let go. */
async function workedOn(at: Place, rounds: number): Promise<void> {
  await eventually(() => ends(at).length === rounds, { timeoutMs: 30_000 });
  at.clock.advance(1000);
  await at.until("it to be let go", ({ finished, running }) => finished.length === 1 && running.length === 0);
}

describe("an issue that is sent back", () => {
  test("keeps its runs, turns and tokens, and is not listed as finished while it is worked on", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "third" });
    await at.orchestrator.start();
    await workedOn(at, 1);
    assert.deepEqual(at.orchestrator.snapshot().finished[0]?.attempts, 1);
    tracker.move("A", "Todo");
    at.orchestrator.refresh();
    const { finished, finishedCount } = await at.until("the next run", ({ running }) => running.length === 1);
    assert.deepEqual([finished, finishedCount], [[], 0]);
    await workedOn(at, 2);
    const [last] = at.orchestrator.snapshot().finished;
    assert.deepEqual([last?.attempts, last?.turnCount], [2, 6]);
  });

  test("all finished issues are counted, also those that are listed no more", async () => {
    const tracker = new MemoryTracker();
    await using at = await place(tracker);
    await at.orchestrator.start();
    await at.orchestrator.shutDown();
    const { ClaimStore } = await import("../../src/state/claims.ts");
    const file = join(at.path, "state.sqlite");
    {
      using store = new ClaimStore(file);
      const issue = { title: "", url: null, state: "Done", reason: "terminal", turnCount: 1 };
      const tokens = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
      const rest = {
        ...issue,
        outcome: "Succeeded",
        attempts: 1,
        tokens,
        threadId: null,
        workspace: null,
        error: null,
      } as const;
      store.together(() => {
        for (let at = 0; at < 250; at++)
          store.release(`id-${at}`, { ...rest, issueId: `id-${at}`, identifier: `${at}`, at });
      });
    }
    await using next = again(at, tracker);
    await next.start();
    const { finished, finishedCount } = next.snapshot();
    assert.deepEqual([finished.length, finishedCount], [200, 250]);
  });
});

describe("an issue that its own agent hands over", () => {
  test("has its turn end, and counts as succeeded", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "hand-over" });
    await at.orchestrator.start();
    await eventually(() => tracker.state("A") === "Review", { timeoutMs: 30_000 });
    await at.look();
    assert.equal(at.orchestrator.snapshot().running.length, 1);
    writeFileSync(join(at.root, "A", "go"), "");
    await workedOn(at, 1);
    assert.deepEqual(ends(at), ["Succeeded"]);
  });

  test("has its turn ended where it goes on for long", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "hand-over", settings: { codex: { stall_timeout_ms: 0 } } });
    await at.orchestrator.start();
    await eventually(() => tracker.state("A") === "Review", { timeoutMs: 30_000 });
    at.clock.advance(301_000);
    await eventually(() => ends(at).length === 1, { timeoutMs: 30_000 });
    assert.deepEqual(ends(at), ["CanceledByReconciliation"]);
  });
});

describe("a workspace root that is changed", () => {
  test("leaves issues that have a workspace where they are, and removes it there", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    await using at = await place(tracker, { behaviour: "fail" });
    await at.orchestrator.start();
    await at.until("the failure", ({ retrying }) => retrying.length === 1);
    const moved = join(at.path, "elsewhere");
    mkdirSync(moved, { mode: 0o700 });
    at.write(readFileSync(at.workflow, "utf8").replace(`root: ${at.root}`, `root: ${moved}`));
    await eventually(() => at.orchestrator.config.workspaceRoot === moved, { timeoutMs: 30_000 });
    at.clock.advance(10_000);
    await at.until("the second failure", ({ retrying }) => retrying[0]?.attempt === 2);
    assert.ok(!existsSync(join(moved, "A")));
    assert.equal(at.orchestrator.snapshot().retrying[0]?.workspace, join(at.root, "A"));
    tracker.move("A", "Done");
    at.clock.advance(20_000);
    await at.until("the end", ({ finished }) => finished.length === 1);
    assert.ok(!existsSync(join(at.root, "A")));
    rmSync(moved, { recursive: true });
  });
});
