import assert from "node:assert/strict";
import { test } from "node:test";
import { arrange, inOrder } from "../../src/sidebar/arrange.ts";
import type { HubView, ThreadSummary } from "../../src/state/model.ts";
import { keyText } from "../../src/state/model.ts";
import { aSummary } from "./support/a-summary.ts";

function arranged(
  threads: readonly ThreadSummary[],
  {
    pinned = [],
    snoozed = {},
    current = null,
  }: { pinned?: string[]; snoozed?: Record<string, number>; current?: string | null } = {},
) {
  const byKey = new Map(threads.map((thread) => [keyText(thread.key), thread]));
  const keys = threads.map(({ key }) => keyText(key));
  const hub = { id: "h1", threads: { value: keys, loading: false, error: null } } as unknown as HubView;
  return arrange({ hubs: [hub], threads: byKey, current, notes: { pinned, snoozed }, nowMs: 1000 });
}

const names = (nodes: readonly { thread: ThreadSummary }[]) => nodes.map(({ thread }) => thread.key.thread);

test("what asks comes first, then failures, then news; a parent comes for its sub-agent; each is in one place", () => {
  const threads = [
    aSummary("news", { unread: true }),
    aSummary("quiet", {}),
    aSummary("failed", { unread: true, status: "failed" }),
    aSummary("parent", {}),
    aSummary("child", { parent: "parent", status: "waiting" }),
  ];
  const result = arranged(threads, { pinned: [keyText(aSummary("quiet", {}).key), keyText(aSummary("news", {}).key)] });
  assert.deepEqual(names(result.needs), ["parent", "failed", "news"]);
  assert.deepEqual(names(result.pinned), ["quiet"]);
  assert.deepEqual(names(result.recent), []);
  assert.deepEqual(
    inOrder(result, true).map(({ key }) => key.thread),
    ["parent", "child", "failed", "news", "quiet"],
  );
});

test("a snoozed thread does not ask until its time, and the thread in view stays where it is", () => {
  const waiting = aSummary("waiting", { status: "waiting" });
  const key = keyText(waiting.key);
  assert.deepEqual(names(arranged([waiting], { snoozed: { [key]: 1001 } }).needs), []);
  assert.deepEqual(names(arranged([waiting], { snoozed: { [key]: 1000 } }).needs), ["waiting"]);
  assert.deepEqual(names(arranged([waiting], { current: key }).needs), []);
});
