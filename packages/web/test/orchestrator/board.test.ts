import assert from "node:assert/strict";
import { test } from "node:test";
import { applyChange, type Board } from "../../src/orchestrator/board.ts";
import type { BoardChange, Card } from "../../src/orchestrator/wire.ts";

const summary = { mode: "running" } as unknown as NonNullable<BoardChange["summary"]>;

const card = (id: string, more: Partial<Card> = {}) =>
  ({ issue_id: id, issue_identifier: id, position: 0, ...more }) as Card;

const waiting = (change: Omit<BoardChange["columns"][number], "name">): BoardChange => ({
  columns: [{ name: "waiting", ...change }],
});

const started = applyChange(null, {
  summary,
  ...waiting({
    count: 4,
    cards: [card("A"), card("B", { position: null }), card("C")],
    move: { gone: [], came: ["A", "B", "C"].map((id, index) => [index, id] as const) },
  }),
}) as Board;

test("positions are counted anew when the first issue leaves, and what is held back has none", () => {
  assert.deepEqual(started.columns.waiting.positions, [1, null, 2]);
  const after = applyChange(
    started,
    waiting({ count: 3, cards: [card("D")], move: { gone: ["A"], came: [[2, "D"]] } }),
  );
  assert.deepEqual(after?.columns.waiting.order, ["B", "C", "D"]);
  assert.deepEqual(after?.columns.waiting.positions, [null, 1, 2]);
  assert.equal(after?.columns.waiting.count, 3);
  assert.equal(after?.columns.running, started.columns.running, "what did not change is not rendered again");
});

test("a change of one card leaves the order, and a new order the cards", () => {
  const changed = applyChange(started, waiting({ count: 4, cards: [card("C", { reason: "new" })] }));
  assert.equal(changed?.columns.waiting.cards.get("C")?.reason, "new");
  const turned = applyChange(changed, waiting({ count: 4, cards: [], move: { order: ["C", "A", "B"] } }));
  assert.deepEqual(turned?.columns.waiting.order, ["C", "A", "B"]);
  assert.equal(turned?.columns.waiting.cards.get("C")?.reason, "new");
});

test("positions of a search are the orchestrator's own, and changes without a board are none", () => {
  const found = applyChange(null, {
    summary,
    ...waiting({ count: 1, cards: [card("Z", { position: 812 })], move: { came: [[0, "Z"]] } }),
  });
  assert.deepEqual(found?.columns.waiting.positions, [812]);
  assert.equal(applyChange(null, waiting({ count: 0, cards: [] })), null);
});
