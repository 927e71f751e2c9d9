import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, gate, reply } from "@quire/testkit";
import { testHome } from "../../support/test-server.ts";

test("a goal is worked on turn by turn until the model says that it is complete", async () => {
  await using place = await testHome();
  const { client } = await place.open();
  const threadId = await client.thread();
  place.model.script(
    reply().text("one"),
    reply().text("two"),
    reply().functionCall("update_goal", { status: "complete" }),
    reply().text("done"),
  );
  await client.request("thread/goal/set", { threadId, objective: "Build it" });
  await client.waitFor("turn/completed", ({ turn }) => turn.items[0]?.text === "done");
  const { goal } = await client.request("thread/goal/get", { threadId });
  assert.deepEqual([goal.status, goal.tokensUsed], ["complete", 330]);
  assert.equal(place.model.requests.length, 4);
  assert.match(JSON.stringify(place.model.requests[1]?.body.input), /Build it/);
  const read = await client.request("thread/read", { threadId });
  assert.equal(read.thread.preview, "Build it");
  assert.equal(read.readState.firstUnread.type, "turn");
});

test("a goal on which the model only talks does not go on for ever", async () => {
  await using place = await testHome();
  const { client } = await place.open();
  const threadId = await client.thread();
  await client.request("thread/goal/set", { threadId, objective: "TestClient" });
  await client.waitFor("thread/goal/updated", ({ goal }) => goal.status === "blocked");
  assert.equal(place.model.requests.length, 200);
});

test("a used-up budget ends the work, and the model is told in the turn in which it happens", async () => {
  await using place = await testHome();
  const { client } = await place.open();
  const threadId = await client.thread();
  place.model.script(reply().functionCall("get_goal", {}, { callId: "get" }), reply().text("summary"));
  await client.request("thread/goal/set", { threadId, objective: "Cheap", tokenBudget: 100 });
  await client.waitFor("turn/completed");
  const { goal } = await client.request("thread/goal/get", { threadId });
  assert.deepEqual([goal.status, goal.tokensUsed], ["budgetLimited", 220]);
  assert.match(JSON.stringify(place.model.last.body.input.at(-1)), /budget is used up/);
  const { goal: still } = await client.request("thread/goal/set", { threadId, status: "active" });
  assert.equal(still.status, "budgetLimited");
});

test("a goal outlives the server, and resuming its thread goes on with it", async () => {
  await using place = await testHome();
  const first = await place.open();
  const threadId = await first.client.thread();
  const held = gate();
  place.model.script(reply().gate(held).text("never"));
  await first.client.request("thread/goal/set", { threadId, objective: "Last" });
  await place.model.waitForRequest(0);
  await first.close();
  held.open();
  const { client } = await place.open();
  assert.equal((await client.request("thread/goal/get", { threadId })).goal.status, "active");
  place.model.script(reply().functionCall("update_goal", { status: "complete" }), reply().text("done"));
  await client.request("thread/resume", { threadId });
  await client.waitFor("thread/goal/updated", ({ goal }) => goal.status === "complete");
  await client.waitFor("turn/completed");
  await client.request("thread/delete", { threadId });
  await eventually(async () => (await client.request("thread/goal/get", { threadId }).catch(() => "gone")) === "gone");
});
