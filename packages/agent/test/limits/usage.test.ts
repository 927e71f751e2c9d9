import assert from "node:assert/strict";
import { test } from "node:test";
import { BudgetTracker, definePrompt, markdown, PromptEvaluationError, Session, ToolInvoked } from "@quire/agent";
import { addUsage, noUsage } from "@quire/agent/runtime";
import type { TurnStep } from "@quire/testkit";
import { errorOf, hello, stage } from "../support/stage.ts";

type Counts = Readonly<Record<string, number>>;

const counts = (inputTokens: number, outputTokens: number, more: Counts = {}): Counts => ({
  inputTokens,
  outputTokens,
  cachedInputTokens: 0,
  reasoningOutputTokens: 0,
  totalTokens: inputTokens + outputTokens,
  ...more,
});

const update = (last: unknown, total?: unknown, more: object = {}): TurnStep => ({
  type: "notify",
  method: "thread/tokenUsage/updated",
  params: { tokenUsage: { last, ...(total === undefined ? {} : { total }) }, ...more },
});

/** A turn in which nothing but these updates tells of tokens. */
async function usageOf(...steps: readonly TurnStep[]) {
  return (await stage((server) => server.turn({ items: steps })).agent.evaluate(hello.bind())).usage;
}

test("10.1: usage is read from the server's updates, and what is malformed counts for nothing", async () => {
  const last = counts(100, 10, { cachedInputTokens: 40, reasoningOutputTokens: 5 });
  assert.deepEqual(await usageOf(update(last, last)), last);
  for (const bad of [undefined, null, "many", {}, { inputTokens: "9" }])
    assert.equal(await usageOf(update(bad, bad)), null);
});

test("10.2: one type has all counts; the total is the sum where it is not told", async () => {
  const { totalTokens: _, ...without } = counts(3, 4);
  assert.deepEqual(await usageOf(update(without)), counts(3, 4));
  assert.deepEqual(await usageOf(update({ inputTokens: 3 })), counts(3, 0));
  assert.deepEqual(addUsage(noUsage, noUsage), noUsage);
});

test("10.3: a turn of several responses is counted whole", async () => {
  const steps = [1, 2, 3].map((n) => update(counts(100, 10), counts(100 * n, 10 * n)));
  assert.deepEqual(await usageOf(...steps), counts(300, 30));
  const withoutTotals = [1, 2, 3].map(() => update(counts(100, 10)));
  assert.deepEqual(await usageOf(...withoutTotals), counts(300, 30));
});

test("10.4: what a resumed thread had used before is where counting begins", async () => {
  const scene = stage((server) => {
    server.on("thread/resume", () => {
      server.notify("thread/tokenUsage/updated", {
        threadId: "t1",
        turnId: "old",
        tokenUsage: { last: counts(900, 90), total: counts(900, 90) },
      });
      return { thread: { id: "t1", turns: [] } };
    });
    server.on("turn/start", async () => {
      const turn = { id: "turn-1", items: [], itemsView: "notLoaded", status: "inProgress", error: null };
      setImmediate(() => {
        server.notify("turn/started", { threadId: "t1", turn });
        const again = { last: counts(900, 90), total: counts(900, 90) };
        server.notify("thread/tokenUsage/updated", { threadId: "t1", turnId: "turn-1", tokenUsage: again });
        const item = { type: "agentMessage", id: "m", text: "hi" };
        server.notify("item/completed", { threadId: "t1", turnId: "turn-1", item });
        const tokenUsage = { last: counts(10, 1), total: counts(910, 91) };
        server.notify("thread/tokenUsage/updated", { threadId: "t1", turnId: "turn-1", tokenUsage });
        server.notify("turn/completed", { threadId: "t1", turn: { ...turn, status: "completed" } });
      });
      return { turn };
    });
  });
  const { usage } = await scene.agent.evaluate(hello.bind(), { resume: "t1" });
  assert.deepEqual(usage, counts(10, 1));
});

test("10.5: all turns of an evaluation are counted, and what is not told counts as nothing", async () => {
  let left = 2;
  const completion = { check: () => (left-- > 0 ? { complete: false, feedback: "again" } : { complete: true }) };
  const sections = [markdown({ key: "task", title: "Task", template: "Work." })];
  const prompt = definePrompt({ ns: "t", key: "c", sections, completion });
  const turns = [[update(counts(100, 10), counts(100, 10))], [], [update(counts(200, 20), counts(300, 30))]];
  const { agent } = stage((server) => server.turn(...turns.map((items) => ({ items }))));
  const { usage, turnIds } = await agent.evaluate(prompt.bind());
  assert.equal(turnIds.length, 3);
  assert.deepEqual(usage, counts(300, 30));
});

test("10.8: the same prompt evaluated twice counts twice, also where it fails", async () => {
  const tracker = new BudgetTracker({ maxTotalTokens: 10_000 });
  const { agent } = stage((server) => server.turn({ items: [{ type: "command", command: "ls" }], text: "done" }));
  await agent.evaluate(hello.bind(), { budgetTracker: tracker });
  await agent.evaluate(hello.bind(), { budgetTracker: tracker });
  assert.equal(tracker.consumed.totalTokens, 440);
  const failing = stage((server) =>
    server.turn({ items: [{ type: "command", command: "ls" }], error: { message: "no" } }),
  );
  await assert.rejects(failing.agent.evaluate(hello.bind(), { budgetTracker: tracker }));
  assert.equal(tracker.consumed.totalTokens, 550);
});

test("10.9, 11.20: tokens beyond the budget end the turn while it runs", async () => {
  const session = new Session();
  const { agent, servers } = stage((server) =>
    server.turn({
      items: [
        { type: "command", command: "one" },
        { type: "command", command: "two" },
        { type: "wait", until: new Promise(() => {}) },
      ],
      text: "never said",
    }),
  );
  const error = await errorOf(agent.evaluate(hello.bind(), { session, budget: { maxTotalTokens: 150 } }));
  assert.ok(error instanceof PromptEvaluationError);
  assert.equal(error.phase, "budget");
  assert.equal((error.cause as { exceededDimension?: string }).exceededDimension, "totalTokens");
  assert.equal(servers[0]?.received.filter(({ method }) => method === "turn/interrupt").length, 1);
  assert.equal(session.slice(ToolInvoked).all().length, 2);
});
