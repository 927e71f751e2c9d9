import assert from "node:assert/strict";
import { test } from "node:test";
import { AgentError, BudgetExceededError, BudgetTracker, Deadline, defineBudget, type TokenUsage } from "@quire/agent";
import { noUsage } from "@quire/agent/runtime";
import { fakeClock } from "@quire/testkit";

const used = (inputTokens: number, outputTokens: number): TokenUsage => ({
  ...noUsage,
  inputTokens,
  outputTokens,
  totalTokens: inputTokens + outputTokens,
});

test("10.6: a budget limits something, by positive whole numbers, and does not change", () => {
  assert.throws(() => defineBudget({}), AgentError);
  for (const maxTotalTokens of [0, -1, 1.5, Number.NaN])
    assert.throws(() => defineBudget({ maxTotalTokens }), AgentError);
  const budget = defineBudget({ maxInputTokens: 5 });
  assert.ok(Object.isFrozen(budget));
  assert.ok(defineBudget({ deadline: Deadline.in(5000) }).deadline);
  assert.throws(() => new BudgetTracker({ maxOutputTokens: 0 }), AgentError);
});

test("10.7: the newest count of an evaluation replaces the older, and all add up", () => {
  const tracker = new BudgetTracker({ maxTotalTokens: 100 });
  tracker.recordCumulative("a", used(10, 1));
  tracker.recordCumulative("a", used(20, 2));
  tracker.recordCumulative("b", used(30, 3));
  assert.deepEqual(tracker.consumed, { ...used(50, 5), turns: 0, cost: 0 });
});

test("10.7: what is exceeded is told in order, and a limit may be used to the last", () => {
  const clock = fakeClock();
  const deadline = Deadline.in(5000, { clock });
  const dimension = (usage: TokenUsage, late = false) => {
    const tracker = new BudgetTracker({ deadline, maxInputTokens: 10, maxOutputTokens: 10, maxTotalTokens: 15 });
    tracker.recordCumulative("a", usage);
    if (late) clock.advance(5000);
    try {
      tracker.check();
      return undefined;
    } catch (error) {
      assert.ok(error instanceof BudgetExceededError);
      assert.equal(error.budget, tracker.budget);
      assert.deepEqual(error.consumed, { ...usage, turns: 0, cost: 0 });
      return error.exceededDimension;
    }
  };
  assert.equal(dimension(used(10, 5)), undefined);
  assert.equal(dimension(used(11, 11)), "inputTokens");
  assert.equal(dimension(used(5, 11)), "outputTokens");
  assert.equal(dimension(used(10, 6)), "totalTokens");
  assert.equal(dimension(used(11, 11), true), "deadline");
});
