import assert from "node:assert/strict";
import { test } from "node:test";
import type { ThreadItem, Turn } from "@quire/protocol";
import { foldNotification } from "../../src/state/fold-notification.ts";
import { takeNewest, takeOlder } from "../../src/state/thread-history.ts";
import { ThreadModel } from "../../src/state/thread-model.ts";

const message = (id: string, text = id): ThreadItem => ({ type: "agentMessage", id, text });

function aTurn(id: string, items: ThreadItem[], status: Turn["status"] = "completed"): Turn {
  return { id, items, itemsView: "full", status };
}

/** Ids of the turns with the texts of their messages. */
function texts(model: ThreadModel): Record<string, string[]> {
  const { turns, items } = model.content();
  const text = (key: string): string => {
    const item = items.get(key)?.item;
    return item?.type === "agentMessage" ? item.text : "";
  };
  return Object.fromEntries(turns.map(({ id, itemIds }) => [id, itemIds.map(text)]));
}

function live(model: ThreadModel, turnId: string, said: readonly string[]): void {
  foldNotification(model, "turn/started", { threadId: "t", turn: aTurn(turnId, [], "inProgress") });
  for (const id of said) {
    foldNotification(model, "item/completed", { threadId: "t", turnId, item: message(id), completedAtMs: 1 });
  }
}

test("a turn that was heard from its beginning is not replaced by less", () => {
  const model = new ThreadModel("/");
  live(model, "u1", ["a", "b"]);
  takeNewest(model, { turns: [aTurn("u1", [message("a")], "inProgress")], olderCursor: null });
  assert.deepEqual(texts(model), { u1: ["a", "b"] });
});

test("after a lost link, what the server stored of the turn that ran is taken", () => {
  const model = new ThreadModel("/");
  live(model, "u1", ["a"]);
  model.missedEvents();
  takeNewest(model, { turns: [aTurn("u1", [message("a"), message("b"), message("c")])], olderCursor: null });
  assert.deepEqual(texts(model), { u1: ["a", "b", "c"] });
  assert.equal(model.activeTurn, null);
});

test("what was heard and not stored stays in its place", () => {
  const model = new ThreadModel("/");
  live(model, "u1", ["a", "heard", "b"]);
  model.missedEvents();
  takeNewest(model, { turns: [aTurn("u1", [message("a"), message("b"), message("c")])], olderCursor: null });
  assert.deepEqual(texts(model), { u1: ["a", "heard", "b", "c"] });
});

test("servers that number stored items anew show none twice", () => {
  const model = new ThreadModel("/");
  live(model, "u1", ["a", "b"]);
  model.missedEvents();
  const stored = [message("item-1", "a"), message("item-2", "b"), message("item-3", "c")];
  takeNewest(model, { turns: [aTurn("u1", stored)], olderCursor: null });
  assert.deepEqual(texts(model), { u1: ["a", "b", "c"] });
});

test("a turn that ended before the link was lost keeps what only was heard", () => {
  const model = new ThreadModel("/");
  live(model, "u1", ["a", "command output"]);
  foldNotification(model, "turn/completed", { threadId: "t", turn: aTurn("u1", []) });
  model.missedEvents();
  takeNewest(model, { turns: [aTurn("u1", [message("item-1", "a")])], olderCursor: null });
  assert.deepEqual(texts(model), { u1: ["a", "command output"] });
});

test("older pages come before what is there, once", () => {
  const model = new ThreadModel("/");
  takeNewest(model, { turns: [aTurn("u3", [message("c")]), aTurn("u4", [message("d")])], olderCursor: "x" });
  takeOlder(model, { turns: [aTurn("u1", [message("a")]), aTurn("u3", [message("c")])], olderCursor: null });
  assert.deepEqual(Object.keys(texts(model)), ["u1", "u3", "u4"]);
  assert.equal(model.olderCursor, null);
});

test("what was paged in stays when the newest page joins on to it, and goes when there may be a hole", () => {
  const model = new ThreadModel("/");
  takeNewest(model, { turns: [aTurn("u2", []), aTurn("u3", [])], olderCursor: "x" });
  takeOlder(model, { turns: [aTurn("u1", [])], olderCursor: "y" });
  takeNewest(model, { turns: [aTurn("u3", []), aTurn("u4", [])], olderCursor: "z" });
  assert.deepEqual(Object.keys(texts(model)), ["u1", "u2", "u3", "u4"]);
  assert.equal(model.olderCursor, "y");
  takeNewest(model, { turns: [aTurn("u8", []), aTurn("u9", [])], olderCursor: "w" });
  assert.deepEqual(Object.keys(texts(model)), ["u8", "u9"]);
  assert.equal(model.olderCursor, "w");
});

test("a turn that began while the history was fetched comes last", () => {
  const model = new ThreadModel("/");
  live(model, "u2", ["b"]);
  takeNewest(model, { turns: [aTurn("u1", [message("a")])], olderCursor: null });
  assert.deepEqual(texts(model), { u1: ["a"], u2: ["b"] });
});
