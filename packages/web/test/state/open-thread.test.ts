import assert from "node:assert/strict";
import { test } from "node:test";
import { aResponse, aThread, FakeGateway } from "./support/fake-gateway.ts";

test("who goes on scrolling up gets more turns at a time, and who opens the thread anew a small page again", async () => {
  const limits: unknown[] = [];
  const page = (cursor: number) => ({
    data: [{ id: `u${cursor}`, items: [], itemsView: "full", status: "completed" }],
    nextCursor: String(cursor + 1),
  });
  const gateway = new FakeGateway({
    "thread/resume": ({ initialTurnsPage }) => {
      limits.push((initialTurnsPage as { limit: number }).limit);
      return aResponse(aThread("t1"), { initialTurnsPage: page(0) });
    },
    "thread/turns/list": ({ limit, cursor }) => {
      limits.push(limit);
      return page(Number(cursor));
    },
  });
  await gateway.open();
  const key = { hub: "h1", thread: "t1" };
  await gateway.actions.openThread(key);
  for (let time = 0; time < 5; time++) await gateway.actions.loadOlder(key);
  assert.deepEqual(limits, [20, 20, 40, 80, 100, 100]);
  await gateway.update({ epoch: 2 });
  await gateway.actions.loadOlder(key);
  assert.deepEqual(limits.slice(6), [20, 20]);
});
