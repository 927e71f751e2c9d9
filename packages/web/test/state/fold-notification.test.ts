import assert from "node:assert/strict";
import { test } from "node:test";
import type { ThreadItem } from "@quire/protocol";
import { foldNotification } from "../../src/state/fold-notification.ts";
import { takeNewest } from "../../src/state/thread-history.ts";
import { ThreadModel } from "../../src/state/thread-model.ts";
import { recording, storedTurns } from "./support/recording.ts";

/** Plays a recording, drawing after every message as a slow stream would. */
function play(name: string): ThreadModel {
  const model = new ThreadModel("/work");
  for (const { method, params } of recording(name)) {
    if (method !== undefined) foldNotification(model, method, params);
    model.content();
  }
  return model;
}

/** The items of a turn, without what only live items know. */
function itemsOf(model: ThreadModel, turnId: string): unknown[] {
  const { turns, items } = model.content();
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
    const model = play(name);
    for (const turn of stored) assert.deepEqual(itemsOf(model, turn.id), turn.items.map(plain));
  });
}

test("what was said before a message of the user came in between stays", () => {
  const model = play("steer-mid-text");
  const { turns, items } = model.content();
  const kinds = turns[0]?.itemIds.map((id) => items.get(id)?.item.type);
  assert.deepEqual(kinds, ["userMessage", "agentMessage", "userMessage", "agentMessage"]);
});

test("every item of a turn that ended is done, also one that was cut off", () => {
  const { turns, items, activeTurn } = play("interrupt-mid-command").content();
  assert.equal(activeTurn, null);
  for (const id of turns.flatMap(({ itemIds }) => itemIds)) assert.equal(items.get(id)?.done, true);
  assert.ok(turns.some(({ status }) => status === "interrupted"));
});

test("a retry shows its reason once, and nothing that was said in vain", () => {
  const { turns, items } = play("error-cut-retry").content();
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
  const { turns, notices } = play("error-cut-retry").content();
  const warnings = turns.map((turn) => turn.notices.filter(({ text }) => text.startsWith("Model metadata")).length);
  assert.deepEqual(warnings, [1, 0]);
  assert.deepEqual(notices, []);
});

test("the tokens of a turn are those of all its model responses, however often they are told", () => {
  const model = play("approvals-accept");
  const [turn] = model.content().turns;
  const spent = turn?.spent?.totalTokens ?? 0;
  assert.equal(spent, turn?.usage?.total.totalTokens);
  const last = recording("approvals-accept").findLast(({ method }) => method === "thread/tokenUsage/updated");
  foldNotification(model, "thread/tokenUsage/updated", last?.params);
  assert.equal(model.content().turns[0]?.spent?.totalTokens, spent);
});

test("what is read while a message is streamed takes nothing away from it", () => {
  const model = new ThreadModel("/work");
  const messages = recording("history-while-running");
  for (const message of messages) {
    if (message.method !== undefined) foldNotification(model, message.method, message.params);
    if (message.reply === "thread/read" || message.reply === "thread/turns/list") {
      takeNewest(model, { turns: storedTurns([message]), olderCursor: null });
      const { turns, items } = model.content();
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
  const model = new ThreadModel("/work");
  const at = { threadId: "t", turnId: "u", itemId: "m" };
  foldNotification(model, "item/agentMessage/delta", { ...at, delta: "lo " });
  foldNotification(model, "item/agentMessage/delta", { ...at, delta: "world" });
  const heard = model.content().items.get("m")?.item;
  assert.equal(heard?.type === "agentMessage" && heard.text, "lo world");
  const whole = { type: "agentMessage", id: "m", text: "hello world" };
  foldNotification(model, "item/completed", { threadId: "t", turnId: "u", item: whole, completedAtMs: 1 });
  foldNotification(model, "item/agentMessage/delta", { ...at, delta: "late" });
  const done = model.content().items.get("m");
  assert.equal(done?.item.type === "agentMessage" && done.item.text, "hello world");
  assert.equal(model.content().turns.length, 1);
});

test("items of two turns with the same id are both shown", () => {
  const model = new ThreadModel("/work");
  for (const turnId of ["u1", "u2"]) {
    const item = { type: "agentMessage", id: "msg_1", text: turnId };
    foldNotification(model, "item/completed", { threadId: "t", turnId, item, completedAtMs: 1 });
  }
  const { turns, items } = model.content();
  const texts = turns.flatMap(({ itemIds }) => itemIds.map((id) => textOf(items.get(id)?.item)));
  assert.deepEqual(texts, ["u1", "u2"]);
});

test("a kind of item that this page does not know is kept as it is", () => {
  const model = new ThreadModel("/work");
  const item = { type: "hologram", id: "x", depth: 3 };
  foldNotification(model, "item/started", { threadId: "t", turnId: "u", item, startedAtMs: 1 });
  foldNotification(model, "item/completed", { threadId: "t", turnId: "u", item, completedAtMs: 2 });
  assert.deepEqual(model.content().items.get("x")?.item as unknown, item);
});

test("plan, diff and reasoning parts are folded into their turn and item", () => {
  const model = new ThreadModel("/work");
  const at = { threadId: "t", turnId: "u" };
  foldNotification(model, "turn/plan/updated", { ...at, plan: [{ step: "read", status: "pending" }] });
  foldNotification(model, "turn/plan/updated", { ...at, plan: [{ step: "read", status: "completed" }] });
  foldNotification(model, "turn/diff/updated", { ...at, diff: "first" });
  foldNotification(model, "turn/diff/updated", { ...at, diff: "second" });
  const part = { ...at, itemId: "r" };
  foldNotification(model, "item/reasoning/summaryTextDelta", { ...part, summaryIndex: 0, delta: "one" });
  foldNotification(model, "item/reasoning/summaryPartAdded", { ...part, summaryIndex: 1 });
  foldNotification(model, "item/reasoning/summaryTextDelta", { ...part, summaryIndex: 1, delta: "two" });
  const { turns, items } = model.content();
  assert.deepEqual(turns[0]?.plan?.steps, [{ step: "read", status: "completed" }]);
  assert.equal(turns[0]?.diff, "second");
  const reasoning = items.get("r")?.item;
  assert.deepEqual(reasoning?.type === "reasoning" && reasoning.summary, ["one", "two"]);
});
