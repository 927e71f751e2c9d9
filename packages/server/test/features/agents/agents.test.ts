/** Agents of a model: how many there may be, what they know, what their parents hear, and with whom they end. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventually, gate, type Reply, reply } from "@quire/testkit";
import { type TestServer, testServer, unattended } from "../../support/test-server.ts";

function call(name: string, args: object, callId: string): Reply {
  return reply().functionCall(name, args, { callId, namespace: "multi_agent_v1" });
}

/** What the model was told of a call. */
function told(server: TestServer, callId: string): string {
  for (const request of server.model.requests.toReversed()) {
    const output = request.functionOutput(callId);
    if (output !== undefined) return output;
  }
  return "";
}

const agentId = (server: TestServer, callId: string): string => JSON.parse(told(server, callId)).agent_id;

async function loaded(server: TestServer): Promise<string[]> {
  return ((await server.client.request("thread/loaded/list", {})) as { data: string[] }).data;
}

test("six agents may be open, the seventh is refused until one is closed", async () => {
  await using server = await testServer();
  const held = gate();
  server.model.when("task").always(() => reply().gate(held).text("done"));
  const calls = Array.from({ length: 7 }, (_, index) => `call-${index}`);
  const spawning = reply();
  for (const callId of calls) {
    spawning.functionCall("spawn_agent", { message: "task" }, { callId, namespace: "multi_agent_v1" });
  }
  server.model.script(
    spawning,
    () => call("close_agent", { target: agentId(server, "call-0") }, "close"),
    call("spawn_agent", { message: "task" }, "again"),
    reply().text("enough"),
  );
  await server.client.turn(await server.client.thread({ ...unattended, cwd: server.home }));
  const answers = calls.map((callId) => told(server, callId));
  assert.equal(answers.filter((answer) => answer.includes("agent_id")).length, 6);
  assert.match(answers.at(-1) ?? "", /limit reached \(max 6\); close an agent first/);
  assert.match(told(server, "again"), /agent_id/);
  held.open();
});

test("an agent knows its task alone, or all that was said where it is forked, and has no agents of its own", async () => {
  await using server = await testServer();
  server.model.when("task plain").reply(reply().text("plain done"));
  server.model.when("task forked").reply(reply().text("forked done"));
  server.model.script(
    call("spawn_agent", { message: "task plain" }, "plain"),
    call("spawn_agent", { message: "task forked", fork_context: true }, "forked"),
    () => call("wait_agent", { targets: [agentId(server, "plain")], timeout_ms: 20_000 }, "wait-1"),
    () => call("wait_agent", { targets: [agentId(server, "forked")], timeout_ms: 20_000 }, "wait-2"),
    reply().text("all done"),
  );
  await server.client.turn(await server.client.thread({ ...unattended, cwd: server.home }));
  const asked = (task: string) => server.model.requests.find(({ lastUserText }) => lastUserText.includes(task));
  const said = (task: string) => JSON.stringify(asked(task)?.body.input);
  assert.doesNotMatch(said("task plain"), /"go"/);
  assert.match(said("task forked"), /"go"/);
  const names = asked("task plain")?.body.tools?.map(({ name }) => name);
  assert.ok(names?.includes("exec_command") && !names.includes("multi_agent_v1"));
  const heard = JSON.stringify(server.model.last?.body.input);
  for (const answer of ["plain done", "forked done"]) {
    assert.match(
      heard,
      new RegExp(`subagent_notification>[^<]*completed[^<]*${answer}`),
      "the parent hears of each end",
    );
  }
});

test("a forked agent continues its parent's prompt, with all that has changed in it", async () => {
  await using server = await testServer();
  const { client, model } = server;
  const threadId = await client.thread({ ...unattended, cwd: server.home });
  model.script(reply().text("one"));
  await client.turn(threadId);
  await client.request("thread/settings/update", { threadId, personality: "friendly" });
  model.when("task forked").reply(reply().text("forked done"));
  model.script(call("spawn_agent", { message: "task forked", fork_context: true }, "forked"));
  await client.turn(threadId);
  const forked = await model.waitFor(({ lastUserText }) => lastUserText.includes("task forked"));
  const spawning = model.requests[1]?.body.input ?? [];
  assert.match(JSON.stringify(spawning), /"one".*<personality_spec>/);
  assert.deepEqual(forked.body.input.slice(0, spawning.length), spawning);
  assert.equal(JSON.stringify(forked.body.input).split("<personality_spec>").length, 2);
});

test("agents end with their parent's thread, and not with an interrupted turn of it", async () => {
  await using server = await testServer();
  server.model.when("task").always(() => reply().text(["working", gate()]));
  server.model.script(call("spawn_agent", { message: "task" }, "spawn"), () =>
    call("wait_agent", { targets: [agentId(server, "spawn")], timeout_ms: 60_000 }, "wait"),
  );
  const threadId = await server.client.thread({ ...unattended, cwd: server.home });
  const ended = server.client.turn(threadId);
  const waiting = () => server.model.requests.filter(({ lastUserText }) => lastUserText.includes("task")).length === 1;
  await eventually(() => waiting() && told(server, "spawn") !== "");
  const child = agentId(server, "spawn");
  await server.client.interrupt(threadId);
  assert.equal((await ended).status, "interrupted");
  assert.deepEqual((await loaded(server)).sort(), [threadId, child].sort());
  await server.client.request("thread/archive", { threadId });
  await eventually(async () => (await loaded(server)).length === 0);
});
