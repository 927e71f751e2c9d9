import assert from "node:assert/strict";
import { test } from "node:test";
import { ThreadView } from "@quire/client/view";
import type { HookRunSummary, ThreadTokenUsage, Turn } from "@quire/protocol";

const aTurn = (id: string, status: Turn["status"] = "completed"): Turn => ({
  ...{ id, items: [], itemsView: "full" as const, status },
});
const count = (totalTokens: number) => ({
  ...{ totalTokens, inputTokens: totalTokens, outputTokens: 0, cachedInputTokens: 0, reasoningOutputTokens: 0 },
});
const usage = (last: number, total: number): ThreadTokenUsage => ({ last: count(last), total: count(total) });
const use = (view: ThreadView, turnId: string, last: number, total: number): boolean =>
  view.applyNotification("thread/tokenUsage/updated", { threadId: "t", turnId, tokenUsage: usage(last, total) });
const spent = (view: ThreadView): Record<string, number | undefined> =>
  Object.fromEntries(view.snapshot().turns.map((turn) => [turn.id, turn.spent?.totalTokens]));

test("what is told again of turns further back waits until they are loaded, and makes no turns of its own", () => {
  const view = new ThreadView();
  view.mergeHistory({ turns: [aTurn("u3")], olderCursor: "x" });
  view.applyNotification("turn/plan/updated", {
    threadId: "t",
    turnId: "u1",
    plan: [{ step: "a", status: "pending" }],
  });
  view.applyNotification("turn/diff/updated", { threadId: "t", turnId: "u2", diff: "of u2" });
  assert.deepEqual(
    view.snapshot().turns.map(({ id }) => id),
    ["u3"],
  );
  view.prependHistory({ turns: [aTurn("u1"), aTurn("u2")], olderCursor: null });
  const [first, second] = view.snapshot().turns;
  assert.deepEqual(first?.plan?.steps, [{ step: "a", status: "pending" }]);
  assert.equal(second?.diff, "of u2");
});

test("each turn keeps its own cost when all reports are told again", () => {
  const view = new ThreadView();
  view.mergeHistory({ turns: [aTurn("u1"), aTurn("u2")], olderCursor: null });
  for (let round = 0; round < 2; round++) {
    use(view, "u1", 10, 10);
    use(view, "u1", 20, 30);
    use(view, "u2", 5, 35);
    use(view, "u2", 7, 42);
    assert.deepEqual(spent(view), { u1: 30, u2: 12 });
    assert.equal(view.snapshot().usage?.total.totalTokens, 42);
  }
});

const hook = (status: HookRunSummary["status"], rest: Partial<HookRunSummary> = {}): HookRunSummary => ({
  ...{ id: "stop:0:/hooks.json", displayOrder: 0, entries: [], eventName: "stop" as const, scope: "turn" as const },
  ...{ executionMode: "sync" as const, handlerType: "command" as const, sourcePath: "/hooks.json", startedAt: 5 },
  ...{ status, ...rest },
});

test("a hook's run is there once, from its beginning to its end, and a later one is another", () => {
  const view = new ThreadView();
  view.applyNotification("turn/started", { threadId: "t", turn: aTurn("u", "inProgress") });
  const told = (run: HookRunSummary, method: string): boolean =>
    view.applyNotification(method, { threadId: "t", turnId: "u", run });
  told(hook("running"), "hook/started");
  told(hook("blocked"), "hook/completed");
  told(hook("running"), "hook/started");
  told(hook("completed", { startedAt: 9 }), "hook/completed");
  assert.deepEqual(
    view.snapshot().turns[0]?.hooks.map(({ run }) => run.status),
    ["blocked", "completed"],
  );
});

test("a hook that ran before the first turn is shown with it", () => {
  const view = new ThreadView();
  view.applyNotification("hook/started", { threadId: "t", turnId: null, run: hook("running") });
  view.applyNotification("hook/completed", { threadId: "t", turnId: null, run: hook("completed") });
  view.applyNotification("turn/started", { threadId: "t", turn: aTurn("u", "inProgress") });
  assert.deepEqual(
    view.snapshot().turns[0]?.hooks.map(({ run }) => run.status),
    ["completed"],
  );
});
