import assert from "node:assert/strict";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { house, input } from "../support/house.ts";

test("while a client asks its user something, a command is waited for beyond its time", async () => {
  await using place = await house();
  const { talk } = await place.open();
  const threadId = await talk.thread();
  await assert.rejects(talk.call("thread/decrement_elicitation", { threadId }), /already zero/);
  assert.deepEqual(await talk.call("thread/increment_elicitation", { threadId }), { count: 1, paused: true });
  // The command outlasts the quarter of a second that the model gives it.
  const args = { cmd: "sleep 1; echo late", yield_time_ms: 250 };
  place.model.script(reply().functionCall("exec_command", args, { callId: "slow" }), reply().text("done"));
  await talk.call("turn/start", { threadId, input: input("go") });
  await talk.told("turn/completed");
  assert.match(JSON.stringify(place.model.last.body.input.at(-1)), /exited with code 0.*late/s);
  assert.deepEqual(await talk.call("thread/decrement_elicitation", { threadId }), { count: 0, paused: false });
});
