/** Threads that are put away leave the memory: a gateway's connection lives for days and joins thousands. */

import { heapStats } from "bun:jsc";
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { eventually } from "@quire/testkit";
import { applyLine, newRecord } from "../../src/record/fold.ts";
import { event } from "../../src/record/rollout-line.ts";
import { testServer } from "../support/test-server.ts";

const many = 40;
/** Threads that the collector may still see on the stack. */
const few = 8;

/** Counts the threads in memory by a snapshot, whose nodes are four numbers each, the third naming their class. */
function heldThreads(): number {
  const { nodes, nodeClassNames } = Bun.generateHeapSnapshot();
  const thread = nodeClassNames.indexOf("Thread");
  return nodes.filter((value, at) => at % 4 === 2 && value === thread).length;
}

/** WaitingFlags until no more threads are held than before; other tests in this process may hold some of their own. */
const areFreed = (before: number, what: string): Promise<unknown> =>
  eventually(() => heldThreads() <= before + few, { what });

describe("a thread is freed", () => {
  for (const method of ["thread/archive", "thread/delete"]) {
    test(`by ${method}, though its client stays`, async () => {
      const before = heldThreads();
      await using server = await testServer();
      for (let n = 0; n < many; n++) {
        const threadId = await server.client.thread();
        await server.client.turn(threadId);
        await server.client.request(method, { threadId });
      }
      await areFreed(before, `${many} threads gone after ${method}`);
    });
  }

  test("when it was unloaded, also after its client has left", async () => {
    const before = heldThreads();
    await using server = await testServer();
    const client = await server.connect();
    for (let n = 0; n < many; n++) {
      const threadId = await client.thread();
      await client.turn(threadId);
      await client.request("thread/archive", { threadId });
    }
    await client.close();
    await areFreed(before, `${many} threads gone with their client`);
  });
});

test("the preview of a thread does not keep its first message", () => {
  const mb = (): number => {
    Bun.gc(true);
    return heapStats().heapSize / 2 ** 20;
  };
  const before = mb();
  const previews = Array.from({ length: 50 }, (_, n) => {
    const record = newRecord({ id: "t", timestamp: "2026-01-01T00:00:00Z" } as never, null);
    const text = `${n} ${"x".repeat(2 ** 20)}`;
    applyLine(record, event({ kind: "preview", preview: JSON.parse(JSON.stringify(text)) }), 0);
    return record.preview;
  });
  assert.equal(
    previews.every((preview) => preview.length === 10_000),
    true,
  );
  assert.ok(mb() - before < 10, "the messages are still there");
});
