import assert from "node:assert/strict";
import { test } from "node:test";
import { ThreadView } from "@quire/client/view";
import type { ThreadItem, Turn } from "@quire/protocol";

const message = (id: string, text = id): ThreadItem => ({ type: "agentMessage", id, text });

function aTurn(id: string, items: ThreadItem[], status: Turn["status"] = "completed"): Turn {
  return { id, items, itemsView: "full", status };
}

/** Ids of the turns with the texts of their messages. */
function texts(view: ThreadView): Record<string, string[]> {
  const { turns, items } = view.snapshot();
  const text = (key: string): string => {
    const item = items.get(key)?.item;
    return item?.type === "agentMessage" ? item.text : "";
  };
  return Object.fromEntries(turns.map(({ id, itemIds }) => [id, itemIds.map(text)]));
}

function live(view: ThreadView, turnId: string, said: readonly string[]): void {
  view.applyNotification("turn/started", { threadId: "t", turn: aTurn(turnId, [], "inProgress") });
  for (const id of said) {
    view.applyNotification("item/completed", { threadId: "t", turnId, item: message(id), completedAtMs: 1 });
  }
}

test("a turn that was heard from its beginning is not replaced by less", () => {
  const view = new ThreadView();
  live(view, "u1", ["a", "b"]);
  view.mergeHistory({ turns: [aTurn("u1", [message("a")], "inProgress")], olderCursor: null });
  assert.deepEqual(texts(view), { u1: ["a", "b"] });
});

test("after a lost link, what the server stored of the turn that ran is taken", () => {
  const view = new ThreadView();
  live(view, "u1", ["a"]);
  view.missedEvents();
  view.mergeHistory({ turns: [aTurn("u1", [message("a"), message("b"), message("c")])], olderCursor: null });
  assert.deepEqual(texts(view), { u1: ["a", "b", "c"] });
  assert.equal(view.activeTurn, null);
});

test("what was heard and not stored stays in its place", () => {
  const view = new ThreadView();
  live(view, "u1", ["a", "heard", "b"]);
  view.missedEvents();
  view.mergeHistory({ turns: [aTurn("u1", [message("a"), message("b"), message("c")])], olderCursor: null });
  assert.deepEqual(texts(view), { u1: ["a", "heard", "b", "c"] });
});

test("servers that number stored items anew show none twice", () => {
  const view = new ThreadView();
  live(view, "u1", ["a", "b"]);
  view.missedEvents();
  const stored = [message("item-1", "a"), message("item-2", "b"), message("item-3", "c")];
  view.mergeHistory({ turns: [aTurn("u1", stored)], olderCursor: null });
  assert.deepEqual(texts(view), { u1: ["a", "b", "c"] });
});

test("a turn that ended before the link was lost keeps what only was heard", () => {
  const view = new ThreadView();
  live(view, "u1", ["a", "command output"]);
  view.applyNotification("turn/completed", { threadId: "t", turn: aTurn("u1", []) });
  view.missedEvents();
  view.mergeHistory({ turns: [aTurn("u1", [message("item-1", "a")])], olderCursor: null });
  assert.deepEqual(texts(view), { u1: ["a", "command output"] });
});

test("older pages come before what is there, once", () => {
  const view = new ThreadView();
  view.mergeHistory({ turns: [aTurn("u3", [message("c")]), aTurn("u4", [message("d")])], olderCursor: "x" });
  view.prependHistory({ turns: [aTurn("u1", [message("a")]), aTurn("u3", [message("c")])], olderCursor: null });
  assert.deepEqual(Object.keys(texts(view)), ["u1", "u3", "u4"]);
  assert.equal(view.snapshot().olderCursor, null);
});

test("what was paged in stays when the newest page joins on to it, and goes when there may be a hole", () => {
  const view = new ThreadView();
  view.mergeHistory({ turns: [aTurn("u2", []), aTurn("u3", [])], olderCursor: "x" });
  view.prependHistory({ turns: [aTurn("u1", [])], olderCursor: "y" });
  view.mergeHistory({ turns: [aTurn("u3", []), aTurn("u4", [])], olderCursor: "z" });
  assert.deepEqual(Object.keys(texts(view)), ["u1", "u2", "u3", "u4"]);
  assert.equal(view.snapshot().olderCursor, "y");
  view.mergeHistory({ turns: [aTurn("u8", []), aTurn("u9", [])], olderCursor: "w" });
  assert.deepEqual(Object.keys(texts(view)), ["u8", "u9"]);
  assert.equal(view.snapshot().olderCursor, "w");
});

test("a turn that began while the history was fetched comes last", () => {
  const view = new ThreadView();
  live(view, "u2", ["b"]);
  view.mergeHistory({ turns: [aTurn("u1", [message("a")])], olderCursor: null });
  assert.deepEqual(texts(view), { u1: ["a"], u2: ["b"] });
});

test("a review that runs as a turn of its own is one turn, live and stored", () => {
  const review = { type: "enteredReviewMode", id: "r", review: "current changes" } as ThreadItem;
  const view = new ThreadView({ cwd: "/work" });
  view.applyNotification("item/completed", { threadId: "t", turnId: "outer", item: review, completedAtMs: 1 });
  const inner = { ...aTurn("inner", [], "inProgress"), rootTurnId: "outer" };
  view.applyNotification("turn/started", { threadId: "t", turn: inner });
  view.applyNotification("item/completed", {
    threadId: "t",
    turnId: "inner",
    item: message("found"),
    completedAtMs: 2,
  });
  view.applyNotification("turn/completed", { threadId: "t", turn: aTurn("outer", []) });
  assert.deepEqual(
    view.snapshot().turns.map(({ id, status, itemIds }) => [id, status, itemIds.length]),
    [["outer", "completed", 2]],
  );
  const stored = new ThreadView({ cwd: "/work" });
  stored.mergeHistory({ turns: [aTurn("outer", [review]), inner], olderCursor: null });
  assert.equal(stored.activeTurn, null);
  assert.equal(stored.snapshot().turns.length, 1);
});
