import assert from "node:assert/strict";
import { test } from "node:test";
import { ThreadView } from "@quire/client/view";
import type { ThreadItem } from "@quire/protocol";
import { recording, storedTurns } from "./support/recording.ts";

/** Plays a recording, drawing after every message as a slow stream would. */
function play(name: string): ThreadView {
  const view = new ThreadView({ cwd: "/work" });
  for (const { method, params } of recording(name)) {
    if (method !== undefined) view.applyNotification(method, params);
    view.snapshot();
  }
  return view;
}

/** The items of a turn, without what only live items know. */
function itemsOf(view: ThreadView, turnId: string): unknown[] {
  const { turns, items } = view.snapshot();
  const turn = turns.find(({ id }) => id === turnId);
  return turn?.itemIds.map((id) => plain(items.get(id)?.item)) ?? [];
}

/** Stored items know neither times nor process ids. */
function plain(item: object | undefined): object {
  const { startedAtMs, completedAtMs, processId, durationMs, ...rest } = { ...item } as Record<string, unknown>;
  return rest;
}

/** Text of a message. */
function textOf(item: ThreadItem | undefined): string {
  return item?.type === "agentMessage" ? item.text : "";
}

for (const name of ["turn-command-short", "turn-reasoning", "approvals-accept", "error-cut-retry"]) {
  test(`what is shown live is what the server stored: ${name}`, () => {
    const stored = storedTurns(recording(name));
    assert.ok(stored.length > 0);
    const view = play(name);
    for (const turn of stored) assert.deepEqual(itemsOf(view, turn.id), turn.items.map(plain));
  });
}

test("what was said before a message of the user came in between stays", () => {
  const view = play("steer-mid-text");
  const { turns, items } = view.snapshot();
  const kinds = turns[0]?.itemIds.map((id) => items.get(id)?.item.type);
  assert.deepEqual(kinds, ["userMessage", "agentMessage", "userMessage", "agentMessage"]);
});

test("every item of a turn that ended is done, also one that was cut off", () => {
  const { turns, items, activeTurn } = play("interrupt-mid-command").snapshot();
  assert.equal(activeTurn, null);
  for (const id of turns.flatMap(({ itemIds }) => itemIds)) assert.equal(items.get(id)?.done, true);
  assert.ok(turns.some(({ status }) => status === "interrupted"));
});

test("a retry shows its reason once, and nothing that was said in vain", () => {
  const { turns, items } = play("error-cut-retry").snapshot();
  const first = turns[0];
  assert.deepEqual(
    first?.notices.filter(({ text }) => text.startsWith("Reconnecting")).map(({ text }) => text),
    ["Reconnecting... 1/2", "Reconnecting... 2/2"],
  );
  const said = first?.itemIds.flatMap((id) => {
    const item = items.get(id)?.item;
    return item?.type === "agentMessage" ? [item.text] : [];
  });
  assert.deepEqual(said, ["whole"]);
});

test("a warning that every turn brings is shown once, where the first one began", () => {
  const { turns, notices } = play("error-cut-retry").snapshot();
  const warnings = turns.map((turn) => turn.notices.filter(({ text }) => text.startsWith("Model metadata")).length);
  assert.deepEqual(warnings, [1, 0]);
  assert.deepEqual(notices, []);
});

test("the tokens of a turn are those of all its view responses, however often they are told", () => {
  const view = play("approvals-accept");
  const [turn] = view.snapshot().turns;
  const spent = turn?.spent?.totalTokens ?? 0;
  assert.equal(spent, turn?.usage?.total.totalTokens);
  const last = recording("approvals-accept").findLast(({ method }) => method === "thread/tokenUsage/updated");
  view.applyNotification("thread/tokenUsage/updated", last?.params);
  assert.equal(view.snapshot().turns[0]?.spent?.totalTokens, spent);
});

test("what is read while a message is streamed takes nothing away from it", () => {
  const view = new ThreadView({ cwd: "/work" });
  const messages = recording("history-while-running");
  for (const message of messages) {
    if (message.method !== undefined) view.applyNotification(message.method, message.params);
    if (message.reply === "thread/read" || message.reply === "thread/turns/list") {
      view.mergeHistory({ turns: storedTurns([message]), olderCursor: null });
      const { turns, items } = view.snapshot();
      assert.deepEqual(
        turns.map(({ itemIds }) => itemIds.map((id) => items.get(id)?.item.type)),
        [["userMessage", "agentMessage"]],
      );
      const item = items.get("msg_2")?.item;
      assert.equal(item?.type === "agentMessage" && item.text, "part ");
    }
  }
});

test("a page that joins late shows what it hears and has the whole at its end", () => {
  const view = new ThreadView({ cwd: "/work" });
  const at = { threadId: "t", turnId: "u", itemId: "m" };
  view.applyNotification("item/agentMessage/delta", { ...at, delta: "lo " });
  view.applyNotification("item/agentMessage/delta", { ...at, delta: "world" });
  const heard = view.snapshot().items.get("m")?.item;
  assert.equal(heard?.type === "agentMessage" && heard.text, "lo world");
  const whole = { type: "agentMessage", id: "m", text: "hello world" };
  view.applyNotification("item/completed", { threadId: "t", turnId: "u", item: whole, completedAtMs: 1 });
  view.applyNotification("item/agentMessage/delta", { ...at, delta: "late" });
  const done = view.snapshot().items.get("m");
  assert.equal(done?.item.type === "agentMessage" && done.item.text, "hello world");
  assert.equal(view.snapshot().turns.length, 1);
});

test("items of two turns with the same id are both shown", () => {
  const view = new ThreadView({ cwd: "/work" });
  for (const turnId of ["u1", "u2"]) {
    const item = { type: "agentMessage", id: "msg_1", text: turnId };
    view.applyNotification("item/completed", { threadId: "t", turnId, item, completedAtMs: 1 });
  }
  const { turns, items } = view.snapshot();
  const texts = turns.flatMap(({ itemIds }) => itemIds.map((id) => textOf(items.get(id)?.item)));
  assert.deepEqual(texts, ["u1", "u2"]);
});

test("a kind of item that this page does not know is kept as it is", () => {
  const view = new ThreadView({ cwd: "/work" });
  const item = { type: "hologram", id: "x", depth: 3 };
  view.applyNotification("item/started", { threadId: "t", turnId: "u", item, startedAtMs: 1 });
  view.applyNotification("item/completed", { threadId: "t", turnId: "u", item, completedAtMs: 2 });
  assert.deepEqual(view.snapshot().items.get("x")?.item as unknown, item);
});

test("plan, diff and reasoning parts are folded into their turn and item", () => {
  const view = new ThreadView({ cwd: "/work" });
  const at = { threadId: "t", turnId: "u" };
  view.applyNotification("turn/plan/updated", { ...at, plan: [{ step: "read", status: "pending" }] });
  view.applyNotification("turn/plan/updated", { ...at, plan: [{ step: "read", status: "completed" }] });
  view.applyNotification("turn/diff/updated", { ...at, diff: "first" });
  view.applyNotification("turn/diff/updated", { ...at, diff: "second" });
  const part = { ...at, itemId: "r" };
  view.applyNotification("item/reasoning/summaryTextDelta", { ...part, summaryIndex: 0, delta: "one" });
  view.applyNotification("item/reasoning/summaryPartAdded", { ...part, summaryIndex: 1 });
  view.applyNotification("item/reasoning/summaryTextDelta", { ...part, summaryIndex: 1, delta: "two" });
  const { turns, items } = view.snapshot();
  assert.deepEqual(turns[0]?.plan?.steps, [{ step: "read", status: "completed" }]);
  assert.equal(turns[0]?.diff, "second");
  const reasoning = items.get("r")?.item;
  assert.deepEqual(reasoning?.type === "reasoning" && reasoning.summary, ["one", "two"]);
});
