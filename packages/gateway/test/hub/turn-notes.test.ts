import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TurnNotes } from "../../src/hub/turn-notes.ts";
import { scriptedGateway } from "../support/test-gateway.ts";
import { openPage, type TestPage } from "../support/test-page.ts";

const plan = (turnId: string, step: string) => ({ threadId: "t", turnId, plan: [{ step, status: "completed" }] });
const usage = (turnId: string, total: number) => ({ threadId: "t", turnId, tokenUsage: { total } });
const hook = (status: string) => ({ threadId: "t", turnId: "u2", run: { id: "h", startedAt: 1, status } });
/** What a page heard, but for replies. */
const heard = (page: TestPage, hub: string) =>
  page.messages(hub).flatMap(({ method, params }) => (method === undefined ? [] : [[method, params]]));

describe("what servers say of a turn and do not store", () => {
  test("is told again to a page that opens the thread later, the last of each kind, and to it alone", async () => {
    await using stage = scriptedGateway();
    await using first = await openPage(stage.gateway);
    const { id } = await first.hub();
    stage.server.on("thread/resume", { thread: { id: "t" } });
    await first.result(id, "thread/resume", { threadId: "t" });
    stage.server.notify("turn/plan/updated", plan("u1", "begun"));
    stage.server.notify("thread/tokenUsage/updated", usage("u1", 10));
    stage.server.notify("turn/plan/updated", plan("u1", "done"));
    for (const total of [20, 30]) stage.server.notify("thread/tokenUsage/updated", usage("u1", total));
    stage.server.notify("turn/diff/updated", { threadId: "t", turnId: "u2", diff: "+ a" });
    stage.server.notify("hook/started", hook("running"));
    stage.server.notify("hook/completed", hook("completed"));
    stage.server.notify("item/agentMessage/delta", { threadId: "t", turnId: "u2", itemId: "m", delta: "stored" });
    stage.server.notify("turn/plan/updated", { ...plan("x", "of another thread"), threadId: "other" });
    await first.hears(id, "turn/plan/updated", 2);
    const before = heard(first, id).length;

    await using second = await openPage(stage.gateway);
    await second.result(id, "thread/resume", { threadId: "t" });
    await second.hears(id, "hook/completed");
    assert.deepEqual(heard(second, id), [
      ["turn/plan/updated", plan("u1", "done")],
      // The first report tells with what the turn began.
      ["thread/tokenUsage/updated", usage("u1", 10)],
      ["thread/tokenUsage/updated", usage("u1", 30)],
      ["turn/diff/updated", { threadId: "t", turnId: "u2", diff: "+ a" }],
      ["hook/completed", hook("completed")],
    ]);
    await first.call(id, "thread/read");
    assert.equal(heard(first, id).length, before);

    stage.server.notify("thread/deleted", { threadId: "t" });
    await second.hears(id, "thread/deleted");
    await using third = await openPage(stage.gateway);
    // What it would be told with the first reply comes before the second.
    for (let time = 0; time < 2; time++) await third.result(id, "thread/resume", { threadId: "t" });
    assert.deepEqual(heard(third, id), []);
  });

  test("is bounded: the oldest turn goes first, and what is very large is not kept at all", () => {
    const notes = new TurnNotes(250);
    const take = (turnId: string, frame: string, method = "turn/plan/updated"): void =>
      notes.take({ method, params: { threadId: "t", turnId } }, frame);
    take("u1", "a".repeat(100));
    take("u1", "b".repeat(100));
    take("u2", "c".repeat(100));
    assert.deepEqual(
      notes.of("t").map((frame) => frame[0]),
      ["b", "c"],
    );
    take("u3", "d".repeat(100));
    assert.deepEqual(
      notes.of("t").map((frame) => frame[0]),
      ["c", "d"],
    );
    take("u3", "e".repeat(2_000_000));
    assert.deepEqual(
      notes.of("t").map((frame) => frame[0]),
      ["c"],
    );
  });
});
