import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, gate, reply } from "@quire/testkit";
import { house } from "../../support/house.ts";

test("a goal is worked on turn by turn until the model says that it is complete", async () => {
  await using place = await house();
  const { talk } = await place.open();
  const threadId = await talk.thread();
  place.model.script(
    reply().text("one"),
    reply().text("two"),
    reply().functionCall("update_goal", { status: "complete" }),
    reply().text("done"),
  );
  await talk.call("thread/goal/set", { threadId, objective: "Build it" });
  await talk.told("turn/completed", ({ turn }) => turn.items[0]?.text === "done");
  const { goal } = await talk.call("thread/goal/get", { threadId });
  assert.deepEqual([goal.status, goal.tokensUsed], ["complete", 330]);
  assert.equal(place.model.requests.length, 4);
  assert.match(JSON.stringify(place.model.requests[1]?.body.input), /Build it/);
  const read = await talk.call("thread/read", { threadId });
  assert.equal(read.thread.preview, "Build it");
  assert.equal(read.readState.firstUnread.type, "turn");
});

test("a goal on which the model only talks does not go on for ever", async () => {
  await using place = await house();
  const { talk } = await place.open();
  const threadId = await talk.thread();
  await talk.call("thread/goal/set", { threadId, objective: "Talk" });
  await talk.told("thread/goal/updated", ({ goal }) => goal.status === "blocked");
  assert.equal(place.model.requests.length, 20);
});

test("a used-up budget ends the work, and the model is told in the turn in which it happens", async () => {
  await using place = await house();
  const { talk } = await place.open();
  const threadId = await talk.thread();
  place.model.script(reply().functionCall("get_goal", {}, { callId: "get" }), reply().text("summary"));
  await talk.call("thread/goal/set", { threadId, objective: "Cheap", tokenBudget: 100 });
  await talk.told("turn/completed");
  const { goal } = await talk.call("thread/goal/get", { threadId });
  assert.deepEqual([goal.status, goal.tokensUsed], ["budgetLimited", 220]);
  assert.match(JSON.stringify(place.model.last.body.input.at(-1)), /budget is used up/);
  const { goal: still } = await talk.call("thread/goal/set", { threadId, status: "active" });
  assert.equal(still.status, "budgetLimited");
});

test("a goal outlives the server, and resuming its thread goes on with it", async () => {
  await using place = await house();
  const first = await place.open();
  const threadId = await first.talk.thread();
  const held = gate();
  place.model.script(reply().gate(held).text("never"));
  await first.talk.call("thread/goal/set", { threadId, objective: "Last" });
  await place.model.waitForRequest(0);
  await first.end();
  held.open();
  const { talk } = await place.open();
  assert.equal((await talk.call("thread/goal/get", { threadId })).goal.status, "active");
  place.model.script(reply().functionCall("update_goal", { status: "complete" }), reply().text("done"));
  await talk.call("thread/resume", { threadId });
  await talk.told("thread/goal/updated", ({ goal }) => goal.status === "complete");
  await talk.told("turn/completed");
  await talk.call("thread/delete", { threadId });
  await eventually(async () => (await talk.call("thread/goal/get", { threadId }).catch(() => "gone")) === "gone");
});
