import assert from "node:assert/strict";
import { it } from "node:test";
import { fullParams, fullResult } from "@quire/protocol/defaults";

it("a result has every field that Codex always sends, also deep inside", () => {
  const thread = {
    id: "t",
    name: "mine",
    turns: [{ id: "1", items: [{ type: "agentMessage", id: "a", text: "hi" }] }],
  };
  const full = fullResult("thread/read", { thread }) as { thread: Record<string, unknown> };
  assert.equal(full.thread.name, "mine");
  assert.equal(full.thread.gitInfo, null);
  const [turn] = full.thread.turns as { items: Record<string, unknown>[] }[];
  assert.equal(turn?.items[0]?.phase, null);
  assert.equal("phase" in (thread.turns[0]?.items[0] ?? {}), false, "what was given stays as it was");
});

it("what is complete, or has nothing to fill in, is passed on as it is", () => {
  const once = fullParams("turn/completed", { threadId: "t", turn: { id: "1", items: [] } });
  assert.equal(fullParams("turn/completed", once), once);
  const delta = { threadId: "t", turnId: "1", itemId: "a", delta: "x" };
  assert.equal(fullParams("item/agentMessage/delta", delta), delta);
  assert.equal(fullResult("no/such/method", delta), delta);
});
