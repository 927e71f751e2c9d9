/** `quire acp`, as an editor uses it that is built on the protocol's own SDK. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { codexVersion } from "@quire/protocol/version";
import { gate, mockResponses, realCodex, reply } from "@quire/testkit";
import { launcher, type Place, place, slow } from "../support/quire.ts";
import { type Agent, editor } from "./editor.ts";

const initialize = { protocolVersion: 1, clientCapabilities: {} };
const prompt = (sessionId: string, text: string) => ({ sessionId, prompt: [{ type: "text", text }] });
const run = (cmd: string) => reply().functionCall("exec_command", { cmd }, { callId: `call-${cmd}` });

async function newSession(agent: Agent, cwd: string): Promise<string> {
  await agent.request("initialize", initialize);
  return (await agent.request<{ sessionId: string }>("session/new", { cwd, mcpServers: [] })).sessionId;
}

const started = ({ cwd, env }: Place, ...args: string[]) => editor([launcher, "acp", ...args], { cwd, env });

test("a prompt streams what is said and done, and ends", slow, async () => {
  await using mock = await mockResponses();
  await using here = await place(mock);
  await using zed = await started(here, "-c", "tools.update_plan.enabled=true");
  const { protocolVersion, agentCapabilities } = await zed.agent.request<{
    protocolVersion: number;
    agentCapabilities: { loadSession: boolean };
  }>("initialize", initialize);
  assert.deepEqual([protocolVersion, agentCapabilities.loadSession], [1, true]);
  const sessionId = await newSession(zed.agent, here.cwd);
  const plan = [
    { step: "look", status: "completed" },
    { step: "write", status: "in_progress" },
  ];
  mock.script(
    reply().functionCall("update_plan", { plan }, { callId: "plan" }),
    run("echo '```'; echo hello"),
    reply().text("All is well.", { chunks: 3 }),
  );
  const { stopReason } = await zed.agent.request<{ stopReason: string }>("session/prompt", prompt(sessionId, "go"));
  assert.equal(stopReason, "end_turn");
  assert.equal(zed.text("agent_message_chunk"), "All is well.");
  const entries = zed.updates.find(({ sessionUpdate }) => sessionUpdate === "plan")?.entries;
  assert.deepEqual(entries, [
    { content: "look", priority: "medium", status: "completed" },
    { content: "write", priority: "medium", status: "in_progress" },
  ]);
  const call = zed.updates.find(({ sessionUpdate }) => sessionUpdate === "tool_call");
  assert.deepEqual([call?.title, call?.kind, call?.status], ["echo '```'; echo hello", "execute", "in_progress"]);
  const done = zed.updates.findLast(({ sessionUpdate }) => sessionUpdate === "tool_call_update");
  assert.equal(done?.status, "completed");
  // The output cannot end the block that it is shown in.
  assert.match(JSON.stringify(done?.content), /"````\\n```\\nhello(\\n)+````"/);
});

test("an approval shows all that is asked, a no is a no, and a change comes as a diff", slow, async () => {
  await using mock = await mockResponses();
  await using here = await place(mock, { approval_policy: "untrusted", sandbox_mode: "workspace-write" });
  await using zed = await started(here);
  writeFileSync(join(here.cwd, "a.txt"), "one\ntwo\nthree\n");
  const sessionId = await newSession(zed.agent, here.cwd);
  mock.script(run("touch made.txt"), reply().text("Not done."));
  await zed.agent.request("session/prompt", prompt(sessionId, "make it"));
  assert.equal(zed.asked[0]?.toolCall.title, "touch made.txt");
  assert.deepEqual(
    zed.asked[0]?.options.map(({ kind }) => kind),
    ["allow_once", "allow_always", "reject_once"],
  );
  assert.ok(!existsSync(join(here.cwd, "made.txt")));
  zed.state.decide = () => "accept";
  const patch = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n three\n*** End Patch";
  mock.script(reply().customToolCall("apply_patch", patch, { callId: "patch" }), reply().text("Changed."));
  await zed.agent.request("session/prompt", prompt(sessionId, "change it"));
  assert.equal(readFileSync(join(here.cwd, "a.txt"), "utf8"), "one\n2\nthree\n");
  const edit = zed.updates.find(({ kind }) => kind === "edit") as { content?: unknown[]; locations?: unknown[] };
  assert.deepEqual(edit.content, [
    { type: "diff", path: join(here.cwd, "a.txt"), oldText: "one\ntwo\nthree\n", newText: "one\n2\nthree\n" },
  ]);
});

test("a prompt is cancelled, and a session is loaded again with all that was said", slow, async () => {
  await using mock = await mockResponses();
  await using here = await place(mock);
  let sessionId: string;
  {
    await using zed = await started(here);
    sessionId = await newSession(zed.agent, here.cwd);
    mock.script(reply().text("First answer."));
    await zed.agent.request("session/prompt", prompt(sessionId, "first question"));
    const held = gate();
    mock.script(reply().text(["Begun ", held, "and never done."]));
    zed.state.updated = ({ sessionUpdate }) => {
      if (sessionUpdate === "agent_message_chunk") void zed.agent.notify("session/cancel", { sessionId });
    };
    const { stopReason } = await zed.agent.request<{ stopReason: string }>("session/prompt", prompt(sessionId, "more"));
    assert.equal(stopReason, "cancelled");
    held.open();
  }
  await using again = await started(here);
  await again.agent.request("initialize", initialize);
  await again.agent.request("session/load", { sessionId, cwd: here.cwd, mcpServers: [] });
  assert.match(again.text("user_message_chunk"), /^first question/);
  assert.match(again.text("agent_message_chunk"), /^First answer\./);
  mock.script(reply().text("Still here."));
  await again.agent.request("session/prompt", prompt(sessionId, "are you there?"));
  assert.match(again.text("agent_message_chunk"), /Still here\.$/);
});

test("files and images of a prompt reach the model, and MCP servers of the editor the thread", slow, async () => {
  await using mock = await mockResponses();
  await using here = await place(mock);
  await using zed = await started(here);
  await zed.agent.request("initialize", initialize);
  const mcpServers = [{ name: "my files", command: "/nowhere/mcp", args: [], env: [{ name: "KEY", value: "v" }] }];
  const { sessionId } = await zed.agent.request<{ sessionId: string }>("session/new", { cwd: here.cwd, mcpServers });
  mock.script(reply().text("Seen."));
  await zed.agent.request("session/prompt", {
    sessionId,
    prompt: [
      { type: "text", text: "look at" },
      { type: "resource_link", uri: `file://${here.cwd}/a%20b.txt`, name: "a b.txt" },
      { type: "resource", resource: { uri: `file://${here.cwd}/c.txt`, text: "of c", mimeType: "text/plain" } },
    ],
  });
  const said = mock.last.inputText();
  assert.match(said, new RegExp(`@${here.cwd}/a b\\.txt`));
  assert.match(said, new RegExp(`<file path="${here.cwd}/c\\.txt">\\nof c\\n</file>`));
});

test("what an editor gets wrong is refused, and the agent goes on", slow, async () => {
  await using mock = await mockResponses();
  await using here = await place(mock);
  await using zed = await started(here);
  await zed.agent.request("initialize", initialize);
  const refused = (method: string, params: object, message: RegExp) =>
    assert.rejects(zed.agent.request(method, params), message);
  await refused("session/prompt", prompt("unknown", "go"), /no session unknown/);
  await refused("session/new", { cwd: "relative", mcpServers: [] }, /absolute path/);
  await refused(
    "session/load",
    { sessionId: "0190c9a0-0000-7000-8000-000000000000", cwd: here.cwd, mcpServers: [] },
    /./,
  );
  await refused("session/fly", {}, /Method not found/);
  const sessionId = await newSession(zed.agent, here.cwd);
  mock.script(reply().failed("invalid_prompt", "no such thing"), reply().text("Back."));
  await refused("session/prompt", prompt(sessionId, "go"), /no such thing/);
  await zed.agent.request("session/prompt", prompt(sessionId, "again"));
  assert.equal(zed.text("agent_message_chunk"), "Back.");
});

test("any app-server serves an editor: Codex does, too", slow, async () => {
  await using mock = await mockResponses();
  await using codex = await realCodex(codexVersion, { model: mock });
  const server = [codex.command, ...codex.args].join(" ");
  const { env, cwd } = codex;
  await using zed = await editor([launcher, "acp", "--server", server], { cwd, env: env as Record<string, string> });
  const sessionId = await newSession(zed.agent, cwd);
  mock.script(run("echo hello"), reply().text("Codex is well."));
  await zed.agent.request("session/prompt", prompt(sessionId, "go"));
  assert.equal(zed.text("agent_message_chunk"), "Codex is well.");
});
