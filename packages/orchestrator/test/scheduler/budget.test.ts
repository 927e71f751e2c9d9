import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { issueOf, MemoryTracker } from "../support/memory-tracker.ts";
import { again, place } from "../support/place.ts";

describe("budgets", () => {
  test("an issue that has used up its tokens is left to a person, and its runs end with their turn", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    const budget = { per_issue: { tokens: 500 } };
    await using at = await place(tracker, { behaviour: "tokens", settings: { budget } });
    await at.orchestrator.start();
    await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
    assert.equal(at.orchestrator.snapshot().totals.totalTokens, 500, "after the second of twenty turns");
    at.clock.advance(1000);
    const { blocked } = await at.until("it to be blocked", (snapshot) => snapshot.blocked.length === 1);
    assert.equal(blocked[0]?.reason.code, "over_budget");
    assert.match(
      blocked[0]?.reason.message ?? "",
      /500 tokens were used, and budget\.per_issue\.tokens is 500: raise it/,
    );
  });

  test("money is counted by the prices of the workflow, over all rounds of an issue", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    const budget = { per_issue: { usd: 1 }, price_per_million: { input: 4000, output: 0 } };
    const settings = { budget, agent: { max_turns: 1 } };
    await using at = await place(tracker, { behaviour: "tokens", settings });
    await at.orchestrator.start();
    await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
    at.clock.advance(1000);
    const { blocked } = await at.until("it to be blocked", (snapshot) => snapshot.blocked.length === 1);
    assert.match(blocked[0]?.reason.message ?? "", /1\.16 US dollars were used, and budget\.per_issue\.usd is 1/);
  });

  test("a day that is used up begins nothing more, also after a restart, and the next day goes on", async () => {
    const tracker = new MemoryTracker(issueOf("A"));
    const settings = { budget: { per_day: { runs: 1 } }, agent: { max_turns: 1 } };
    await using at = await place(tracker, { behaviour: "noop", settings });
    await at.orchestrator.start();
    await at.until("the end of the run", ({ retrying }) => retrying.length === 1);
    tracker.issues.set("id-B", issueOf("B"));
    at.clock.advance(1000);
    await at.look();
    const { running, health } = at.orchestrator.snapshot();
    assert.deepEqual([running.length, health.budgetError?.code], [0, "over_budget"]);
    await at.orchestrator.shutDown();
    await using next = again(at, tracker);
    await next.start();
    assert.equal(next.snapshot().health.budgetError?.code, "over_budget");
    assert.equal(next.snapshot().running.length, 0);
    at.clock.advance(86_400_000);
    assert.equal(next.snapshot().health.budgetError, null);
  });

  test("many runs that fail for the same reason in a row pause the rest, until a person resumes", async () => {
    const tracker = new MemoryTracker(...["A", "B", "C"].map((name) => issueOf(name)));
    const settings = { budget: { same_failures: 3 }, agent: { max_concurrent_agents: 1 } };
    await using at = await place(tracker, { behaviour: "fail", settings });
    await at.orchestrator.start();
    const { mode } = await at.until("the pause", (snapshot) => snapshot.mode === "paused");
    assert.equal(mode, "paused");
    assert.match(
      at.log(),
      /error paused: 3 runs in a row failed as turn_failed \(budget\.same_failures is 3\): the model is gone/,
    );
    assert.equal(at.events.filter(({ type }) => type === "run.started").length, 3);
    at.orchestrator.resume();
    at.clock.advance(10_000);
    await at.until("more", () => at.events.filter(({ type }) => type === "run.started").length > 3);
  });
});
