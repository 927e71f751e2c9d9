import assert from "node:assert/strict";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { testServer, unattended } from "../../support/test-server.ts";

const failing = (cmd = "exit 3") => reply().functionCall("exec_command", { cmd, login: false });

test("a model that repeats a failing call is told, then stopped with an honest end", async () => {
  await using server = await testServer();
  const { client } = server;
  const threadId = await client.thread({ ...unattended, cwd: server.cwd });
  server.model.fallback(failing());
  const turn = await client.turn(threadId);
  assert.equal(turn.status, "failed");
  assert.match(turn.error?.message ?? "", /same failing call 6 times and was stopped: exec_command .*exit 3/);
  assert.match(turn.error?.message ?? "", /choose a more capable model/);
  assert.equal(server.model.requests.length, 6);
  assert.match(JSON.stringify(server.model.requests[3]?.body.input), /has failed 3 times\. Do not repeat it/);
  server.model.fallback(reply().text("sorry"));
  assert.equal((await client.turn(threadId)).status, "completed", "the thread goes on");
});

test("failing calls that differ, and the same one between others, end no turn; nor does any model of the catalogue", async () => {
  await using server = await testServer();
  const { client } = server;
  const threadId = await client.thread({ ...unattended, cwd: server.cwd });
  const many = Array.from({ length: 8 }, (_, index) => failing(`exit ${index + 1}`));
  const mixed = [1, 2, 3, 4].flatMap(() => [failing(), failing(), failing("true")]);
  server.model.script(...many, ...mixed, reply().text("ok"));
  assert.equal((await client.turn(threadId)).status, "completed");
  const known = await client.thread({ ...unattended, cwd: server.cwd, model: "gpt-5.5" });
  server.model.script(...Array.from({ length: 8 }, () => failing()), reply().text("ok"));
  assert.equal((await client.turn(known)).status, "completed");
  assert.doesNotMatch(JSON.stringify(server.model.last.body.input), /Do not repeat it/);
});

test("a failing call is recognised also where the model numbers its calls anew in each response", async () => {
  await using server = await testServer();
  const { client } = server;
  const threadId = await client.thread({ ...unattended, cwd: server.cwd });
  server.model.fallback(reply().functionCall("no_such_tool", {}, { callId: "call_0" }));
  const turn = await client.turn(threadId);
  assert.match(turn.error?.message ?? "", /same failing call 6 times and was stopped: no_such_tool/);
  assert.equal(server.model.requests.length, 6);
});
