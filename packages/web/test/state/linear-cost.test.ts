import assert from "node:assert/strict";
import { test } from "node:test";
import { foldNotification } from "../../src/state/fold-notification.ts";
import { outputLimit } from "../../src/state/item-deltas.ts";
import { ThreadModel } from "../../src/state/thread-model.ts";

const deltas = 20_000;
const frames = 100;

function started(model: ThreadModel, turnId: string, item: object): void {
  foldNotification(model, "item/started", { threadId: "t", turnId, item, startedAtMs: 1 });
}

test("a long stream costs one append for each delta and one new item for each frame", () => {
  const model = new ThreadModel("/work");
  started(model, "u", { type: "agentMessage", id: "m", text: "" });
  const before = model.work.rebuilt;
  let text = "";
  for (let frame = 0; frame < frames; frame++) {
    for (let index = 0; index < deltas / frames; index++) {
      text += `${frame}.${index} `;
      const delta = `${frame}.${index} `;
      foldNotification(model, "item/agentMessage/delta", { threadId: "t", turnId: "u", itemId: "m", delta });
    }
    const item = model.content().items.get("m")?.item;
    assert.equal(item?.type === "agentMessage" && item.text, text);
  }
  assert.deepEqual({ ...model.work, rebuilt: model.work.rebuilt - before }, { deltas, rebuilt: frames });
});

test("a stream at the end of a long thread touches nothing else of it", () => {
  const model = new ThreadModel("/work");
  for (let index = 0; index < 5000; index++) {
    const item = { type: "agentMessage", id: `i${index}`, text: "x" };
    foldNotification(model, "item/completed", { threadId: "t", turnId: `u${index % 50}`, item, completedAtMs: 1 });
  }
  started(model, "last", { type: "agentMessage", id: "m", text: "" });
  const before = model.content();
  const { rebuilt } = model.work;
  foldNotification(model, "item/agentMessage/delta", { threadId: "t", turnId: "last", itemId: "m", delta: "y" });
  const after = model.content();
  assert.equal(model.work.rebuilt - rebuilt, 1);
  for (const [index, turn] of after.turns.entries()) assert.equal(turn, before.turns[index]);
  assert.notEqual(after.items, before.items);
  assert.equal(model.content(), after, "nothing new, nothing made");
});

test("the output of a command that never stops is bounded, and whole again at its end", () => {
  const model = new ThreadModel("/work");
  const item = {
    type: "commandExecution",
    id: "c",
    command: "yes",
    commandActions: [],
    cwd: "/",
    status: "inProgress",
  };
  started(model, "u", item);
  const delta = "y\n".repeat(5000);
  for (let index = 0; index < 300; index++) {
    foldNotification(model, "item/commandExecution/outputDelta", { threadId: "t", turnId: "u", itemId: "c", delta });
    model.content();
  }
  const running = model.content().items.get("c");
  const length = running?.item.type === "commandExecution" ? (running.item.aggregatedOutput?.length ?? 0) : 0;
  assert.ok(length >= outputLimit && length <= outputLimit * 1.25, `${length} characters`);
  assert.equal(running?.clipped, true);
  const done = { ...item, status: "completed", aggregatedOutput: "all" };
  foldNotification(model, "item/completed", { threadId: "t", turnId: "u", item: done, completedAtMs: 2 });
  assert.equal(model.content().items.get("c")?.clipped, false);
});
