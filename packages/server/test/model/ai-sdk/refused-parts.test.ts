/** Parts of the history that some endpoints refuse: each is found out by the first refusal, and the thread goes on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { reply } from "@quire/testkit";
import { plan } from "./scenario.ts";
import { said, stage, wireNamed } from "./stage.ts";

interface Message {
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
  readonly tool_call_id?: string;
}

test("an endpoint that takes no reasoning back is asked without it", async () => {
  await using set = await stage(wireNamed("chat"));
  const { client, cwd, mock } = set;
  const refused =
    '{"detail":[{"type":"extra_forbidden","loc":["body","messages",2,"assistant","reasoning_content"],"msg":"Extra inputs are not permitted"}]}';
  mock.script(reply().reasoning(["I look first"]).functionCall("update_plan", plan), mock.error(422, refused));
  mock.script(reply().text("one"), reply().text("two"));
  const threadId = await client.thread({ cwd });
  assert.equal((await client.turn(threadId)).status, "completed");
  assert.equal((await client.turn(threadId)).status, "completed");
  assert.deepEqual(said(client), ["one", "two"]);
  const thoughts = mock.requests.map(({ sent }) =>
    (sent.messages as Message[]).flatMap(({ reasoning_content: text }) => text ?? []),
  );
  assert.deepEqual(thoughts, [[], ["I look first"], [], []]);
});

test("an endpoint that misses reasoning in the history is not asked without it", async () => {
  await using set = await stage(wireNamed("chat"));
  const { client, cwd, mock } = set;
  const missing = mock.error(400, "Missing `reasoning_content` field in the assistant message at message index 2");
  mock.script(reply().reasoning(["I look first"]).functionCall("update_plan", plan), missing);
  assert.equal((await client.turn(await client.thread({ cwd }))).status, "failed");
  assert.equal(mock.requests.length, 2);
});

test("an endpoint that wants short ids of calls gets them, each call with its output", async () => {
  await using set = await stage(wireNamed("chat"));
  const { client, cwd, mock } = set;
  const call = (callId: string) => reply().functionCall("update_plan", plan, { callId });
  const refused = "Tool call id was call_other_1 but must be a-z, A-Z, 0-9, with a length of 9.";
  mock.script(call("call_other_1"), mock.error(400, refused), call("AbCdEf123"), reply().text("Done."));
  assert.equal((await client.turn(await client.thread({ cwd }))).status, "completed");
  const messages = mock.last.sent.messages as Message[];
  const ids = messages.flatMap(({ tool_calls: calls = [] }) => calls.map(({ id }) => id));
  assert.match(ids.join(), /^[0-9a-f]{9},AbCdEf123$/);
  assert.deepEqual(
    messages.flatMap(({ tool_call_id: id }) => id ?? []),
    ids,
  );
  assert.deepEqual(mock.refused, []);
});

test("ids that are longer than an endpoint takes are made shorter", async () => {
  await using set = await stage(wireNamed("chat"));
  const { client, cwd, mock } = set;
  const call = () => reply().functionCall("update_plan", plan, { callId: `call_${"x".repeat(60)}` });
  mock.script(call(), call(), reply().text("Done."));
  const turn = await client.turn(await client.thread({ cwd }));
  assert.equal(turn.status, "completed", turn.error?.message);
  assert.equal(new Set(mock.last.functionOutputs().map(({ callId }) => callId)).size, 2);
  assert.deepEqual(mock.refused, []);
});
