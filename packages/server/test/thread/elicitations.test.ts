import assert from "node:assert/strict";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { input } from "../support/test-client.ts";
import { testHome } from "../support/test-server.ts";

test("while a client asks its user something, a command is waited for beyond its time", async () => {
  await using place = await testHome();
  const { client: talk } = await place.open();
  const threadId = await talk.thread();
  await assert.rejects(talk.request("thread/decrement_elicitation", { threadId }), /already zero/);
  assert.deepEqual(await talk.request("thread/increment_elicitation", { threadId }), { count: 1, paused: true });
  // The command outlasts the quarter of a second that the model gives it.
  const args = { cmd: "sleep 1; echo late", yield_time_ms: 250 };
  place.model.script(reply().functionCall("exec_command", args, { callId: "slow" }), reply().text("done"));
  await talk.request("turn/start", { threadId, input: input("go") });
  await talk.waitFor("turn/completed");
  assert.match(JSON.stringify(place.model.last.body.input.at(-1)), /exited with code 0.*late/s);
  assert.deepEqual(await talk.request("thread/decrement_elicitation", { threadId }), { count: 0, paused: false });
});
