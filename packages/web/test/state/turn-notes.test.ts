import assert from "node:assert/strict";
import { test } from "node:test";
import type { HookRunSummary, ThreadTokenUsage, Turn } from "@quire/protocol";
import { foldNotification } from "../../src/state/fold-notification.ts";
import { takeNewest, takeOlder } from "../../src/state/thread-history.ts";
import { ThreadModel } from "../../src/state/thread-model.ts";
import { aResponse, aThread, FakeGateway } from "./support/fake-gateway.ts";

const aTurn = (id: string, status: Turn["status"] = "completed"): Turn => ({
  ...{ id, items: [], itemsView: "full" as const, status },
});
const count = (totalTokens: number) => ({
  ...{ totalTokens, inputTokens: totalTokens, outputTokens: 0, cachedInputTokens: 0, reasoningOutputTokens: 0 },
});
const usage = (last: number, total: number): ThreadTokenUsage => ({ last: count(last), total: count(total) });
const use = (model: ThreadModel, turnId: string, last: number, total: number): boolean =>
  foldNotification(model, "thread/tokenUsage/updated", { threadId: "t", turnId, tokenUsage: usage(last, total) });
const spent = (model: ThreadModel): Record<string, number | undefined> =>
  Object.fromEntries(model.content().turns.map((turn) => [turn.id, turn.spent?.totalTokens]));

test("what is told again of turns further back waits until they are loaded, and makes no turns of its own", () => {
  const model = new ThreadModel("/");
  takeNewest(model, { turns: [aTurn("u3")], olderCursor: "x" });
  foldNotification(model, "turn/plan/updated", {
    threadId: "t",
    turnId: "u1",
    plan: [{ step: "a", status: "pending" }],
  });
  foldNotification(model, "turn/diff/updated", { threadId: "t", turnId: "u2", diff: "of u2" });
  assert.deepEqual(
    model.content().turns.map(({ id }) => id),
    ["u3"],
  );
  takeOlder(model, { turns: [aTurn("u1"), aTurn("u2")], olderCursor: null });
  const [first, second] = model.content().turns;
  assert.deepEqual(first?.plan?.steps, [{ step: "a", status: "pending" }]);
  assert.equal(second?.diff, "of u2");
});

test("each turn keeps its own cost when all reports are told again", () => {
  const model = new ThreadModel("/");
  takeNewest(model, { turns: [aTurn("u1"), aTurn("u2")], olderCursor: null });
  for (let round = 0; round < 2; round++) {
    use(model, "u1", 10, 10);
    use(model, "u1", 20, 30);
    use(model, "u2", 5, 35);
    use(model, "u2", 7, 42);
    assert.deepEqual(spent(model), { u1: 30, u2: 12 });
    assert.equal(model.content().usage?.total.totalTokens, 42);
  }
});

const hook = (status: HookRunSummary["status"], rest: Partial<HookRunSummary> = {}): HookRunSummary => ({
  ...{ id: "stop:0:/hooks.json", displayOrder: 0, entries: [], eventName: "stop" as const, scope: "turn" as const },
  ...{ executionMode: "sync" as const, handlerType: "command" as const, sourcePath: "/hooks.json", startedAt: 5 },
  ...{ status, ...rest },
});

test("a hook's run is there once, from its beginning to its end, and a later one is another", () => {
  const model = new ThreadModel("/");
  foldNotification(model, "turn/started", { threadId: "t", turn: aTurn("u", "inProgress") });
  const told = (run: HookRunSummary, method: string): boolean =>
    foldNotification(model, method, { threadId: "t", turnId: "u", run });
  told(hook("running"), "hook/started");
  told(hook("blocked"), "hook/completed");
  told(hook("running"), "hook/started");
  told(hook("completed", { startedAt: 9 }), "hook/completed");
  assert.deepEqual(
    model.content().turns[0]?.hooks.map(({ run }) => run.status),
    ["blocked", "completed"],
  );
});

test("a hook that ran before the first turn is shown with it", () => {
  const model = new ThreadModel("/");
  foldNotification(model, "hook/started", { threadId: "t", turnId: null, run: hook("running") });
  foldNotification(model, "hook/completed", { threadId: "t", turnId: null, run: hook("completed") });
  foldNotification(model, "turn/started", { threadId: "t", turn: aTurn("u", "inProgress") });
  assert.deepEqual(
    model.content().turns[0]?.hooks.map(({ run }) => run.status),
    ["completed"],
  );
});

test("the branch that a server finds while the thread already runs is asked for, but not for ever", async () => {
  let branch: string | null = null;
  const thread = () => aThread("t1", branch === null ? {} : { gitInfo: { branch, sha: null, originUrl: null } });
  const gateway = new FakeGateway({
    "thread/start": () => aResponse(thread()),
    "thread/read": () => ({ thread: thread() }),
  });
  await gateway.open();
  await gateway.actions.newThread("h1");
  const turn = async (id: string): Promise<void> => {
    gateway.notify("turn/started", { threadId: "t1", turn: aTurn(id, "inProgress") });
    await gateway.settle();
    gateway.notify("turn/completed", { threadId: "t1", turn: aTurn(id) });
    await gateway.settle();
  };
  const asked = (): number => gateway.asked.filter(({ method }) => method === "thread/read").length;
  gateway.notify("turn/started", { threadId: "t1", turn: aTurn("u1", "inProgress") });
  await gateway.settle();
  assert.equal(gateway.thread("t1").summary.branch, null);
  branch = "harbour";
  gateway.notify("turn/completed", { threadId: "t1", turn: aTurn("u1") });
  await gateway.settle();
  assert.equal(gateway.thread("t1").summary.branch, "harbour");
  const before = asked();
  for (const id of ["u2", "u3", "u4"]) await turn(id);
  assert.equal(asked(), before);
});
