/** A thread's turns are encoded ahead of the reply that has them, and are what they would be without that. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EncodedResult } from "@quire/jsonrpc";
import type { ThreadItem, Turn, TurnError } from "@quire/protocol";
import { fullResult } from "@quire/protocol/defaults";
import { TurnTexts } from "../../src/thread/turn-texts.ts";

const said = (id: string, text: string): ThreadItem => ({ type: "agentMessage", id, text });

const turn = (id: string, items: ThreadItem[]): Turn => ({
  id,
  items,
  itemsView: "full",
  status: "completed",
  error: null,
  startedAt: 1,
  completedAt: 2,
  durationMs: 3,
});

/** The result as a client gets it, and as it would be if all were encoded at once. */
function both(texts: TurnTexts, turns: readonly Turn[]): [unknown, unknown] {
  const result = { thread: { id: "a", preview: "said", turns: [] }, readState: null };
  const sent = texts.result("thread/read", result, turns) as unknown;
  assert.ok(sent instanceof EncodedResult && typeof sent.json === "string");
  const plain = fullResult("thread/read", { ...result, thread: { ...result.thread, turns } });
  return [JSON.parse(sent.json), JSON.parse(JSON.stringify(plain))];
}

test("a reply with encoded turns has every field that it would have without", async () => {
  const command: ThreadItem = {
    type: "commandExecution",
    id: "c",
    command: 'echo "$0"\u2028',
    cwd: "/work",
    source: "agent",
    status: "completed",
    commandActions: [{ type: "unknown", command: "echo" }],
  } as ThreadItem;
  const failed: Turn = { ...turn("two", []), status: "failed", error: { message: "no\n" } as TurnError };
  const turns = [turn("one", [said("a", '"],"turns":['), command]), failed];
  for (const some of [turns, turns.slice(0, 1), []]) {
    const [sent, plain] = both(await TurnTexts.of(some), some);
    assert.deepEqual(sent, plain);
  }
});

test("turns that change while they are encoded are sent as they are at the reply", async () => {
  const turns = Array.from({ length: 50 }, (_, n) => turn(`turn-${n}`, [said("a", `${n}`), said("b", "x")]));
  const encoding = TurnTexts.of(turns);
  const changes: ((one: Turn) => unknown)[] = [
    (one) => one.items.splice(1, 1, said("b", "later")),
    (one) => one.items.push(said("c", "new")),
    (one) => Object.assign(one, { items: [said("a", "others")] }),
    (one) => Object.assign(one, { status: "interrupted" }),
    (one) => Object.assign(one, { error: { message: "failed" } }),
  ];
  for (const [at, change] of changes.entries()) change(turns[at * 3] as Turn);
  turns.splice(40);
  turns.push(turn("added", [said("a", "y")]));
  const texts = await encoding;
  for (const [at, change] of changes.entries()) change(turns[at * 3 + 1] as Turn);
  const [sent, plain] = both(texts, turns);
  assert.deepEqual(sent, plain);
});
