import assert from "node:assert/strict";
import { test } from "node:test";
import { ThreadView } from "@quire/client/view";

const deltas = 20_000;
const frames = 100;
/** Characters of a running command's output that are kept. */
const outputLimit = 1_000_000;

function started(view: ThreadView, turnId: string, item: object): void {
  view.applyNotification("item/started", { threadId: "t", turnId, item, startedAtMs: 1 });
}

test("a long stream costs one append for each delta and one new item for each frame", () => {
  const view = new ThreadView({ cwd: "/work" });
  started(view, "u", { type: "agentMessage", id: "m", text: "" });
  let text = "";
  for (let frame = 0; frame < frames; frame++) {
    // Every snapshot looks into the same table, so that an item rebuilt too early would show.
    const { items } = view.snapshot();
    const before = items.get("m");
    for (let index = 0; index < deltas / frames; index++) {
      text += `${frame}.${index} `;
      const delta = `${frame}.${index} `;
      view.applyNotification("item/agentMessage/delta", { threadId: "t", turnId: "u", itemId: "m", delta });
      if (items.get("m") !== before) assert.fail("a delta rebuilt its item");
    }
    const item = view.snapshot().items.get("m")?.item;
    assert.equal(item?.type === "agentMessage" && item.text, text);
  }
});

test("a stream at the end of a long thread touches nothing else of it", () => {
  const view = new ThreadView({ cwd: "/work" });
  for (let index = 0; index < 5000; index++) {
    const item = { type: "agentMessage", id: `i${index}`, text: "x" };
    view.applyNotification("item/completed", { threadId: "t", turnId: `u${index % 50}`, item, completedAtMs: 1 });
  }
  started(view, "last", { type: "agentMessage", id: "m", text: "" });
  const before = view.snapshot();
  const untouched = new Map(before.items);
  view.applyNotification("item/agentMessage/delta", { threadId: "t", turnId: "last", itemId: "m", delta: "y" });
  const after = view.snapshot();
  for (const [key, state] of after.items) assert.equal(state === untouched.get(key), key !== "m");
  for (const [index, turn] of after.turns.entries()) assert.equal(turn, before.turns[index]);
  assert.notEqual(after.items, before.items);
  assert.equal(view.snapshot(), after, "nothing new, nothing made");
});

test("the output of a command that never stops is bounded, and whole again at its end", () => {
  const view = new ThreadView({ cwd: "/work" });
  const item = {
    type: "commandExecution",
    id: "c",
    command: "yes",
    commandActions: [],
    cwd: "/",
    status: "inProgress",
  };
  started(view, "u", item);
  const delta = "y\n".repeat(5000);
  for (let index = 0; index < 300; index++) {
    view.applyNotification("item/commandExecution/outputDelta", { threadId: "t", turnId: "u", itemId: "c", delta });
    view.snapshot();
  }
  const running = view.snapshot().items.get("c");
  const length = running?.item.type === "commandExecution" ? (running.item.aggregatedOutput?.length ?? 0) : 0;
  assert.ok(length >= outputLimit && length <= outputLimit * 1.25, `${length} characters`);
  assert.equal(running?.clipped, true);
  const done = { ...item, status: "completed", aggregatedOutput: "all" };
  view.applyNotification("item/completed", { threadId: "t", turnId: "u", item: done, completedAtMs: 2 });
  assert.equal(view.snapshot().items.get("c")?.clipped, false);
});
