/** Requests only grow at their end, so that the provider's prompt cache holds. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gate, type RecordedRequest, reply } from "@quire/testkit";
import { storedInFiles } from "../support/database.ts";
import { input } from "../support/test-client.ts";
import { command, type TestHome, type TestServer, testHome, testServer } from "../support/test-server.ts";

/** A request in the order in which providers cache it: tools, then input. */
function serialized({ body }: RecordedRequest): string[] {
  return [...(body.tools ?? []), ...body.input].map((part) => JSON.stringify(part));
}

/** Asserts that each request begins with all of the one before it. */
function assertGrowing({ model }: Pick<TestHome, "model">): void {
  const requests = model.requests.map(serialized);
  for (const [at, request] of requests.entries()) {
    const before = requests[at - 1] ?? [];
    assert.deepEqual(request.slice(0, before.length), before, `request ${at + 1} changes what was sent`);
  }
}

/** The parts of the newest request's input from where the one before it ended, as text. */
function added({ model }: Pick<TestHome, "model">): string {
  const [before, last] = model.requests.slice(-2);
  return JSON.stringify(last?.body.input.slice(before?.body.input.length));
}

async function run(server: TestServer, threadId: string, params: object = {}): Promise<void> {
  const { turn } = await server.client.request("turn/start", { threadId, input: input("go"), ...params });
  assert.notEqual((await server.client.ended(turn.id)).status, "failed");
}

function addSkill({ home }: TestHome, name: string): void {
  mkdirSync(join(home, "skills", name), { recursive: true });
  writeFileSync(join(home, "skills", name, "SKILL.md"), `---\nname: ${name}\ndescription: For ${name}.\n---\n`);
}

const restricted = { approvalPolicy: "on-request", sandbox: "read-only" };
const plan = { mode: "plan", settings: { model: "mock-model", reasoning_effort: null, developer_instructions: null } };

/** A change before a turn, and what the model has to hear of it. */
const changes: readonly (readonly [string, (server: TestServer) => object | undefined, RegExp | undefined])[] = [
  ["another model", () => ({ model: "model-2" }), undefined],
  ["another folder", ({ outside }) => ({ cwd: outside }), /<environment_context>.*outside/],
  ["another approval policy", () => ({ approvalPolicy: "never" }), /<permissions instructions>.*never/],
  ["a wider sandbox", () => ({ sandboxPolicy: { type: "dangerFullAccess" } }), /<permissions.*danger-full-access/],
  ["a personality", () => ({ personality: "friendly" }), /<personality_spec>/],
  ["plan mode", () => ({ collaborationMode: plan }), /<collaboration_mode>/],
  ["edited instructions", ({ cwd }) => void writeFileSync(join(cwd, "AGENTS.md"), "EDITED"), /# AGENTS.md.*EDITED/],
  ["removed instructions", ({ cwd }) => void rmSync(join(cwd, "AGENTS.md")), /# AGENTS.md.*no longer apply/],
  ["a new skill", (server) => void addSkill(server, "second"), /<skills_instructions>.*For first.*For second/],
  [
    "removed skills",
    ({ home }) => void rmSync(join(home, "skills"), { recursive: true }),
    /<skills_instructions>.*no skills/,
  ],
];

async function started(): Promise<TestServer & { readonly threadId: string }> {
  const server = await testServer();
  writeFileSync(join(server.cwd, "AGENTS.md"), "FIRST");
  addSkill(server, "first");
  const threadId = await server.client.thread({ ...restricted, cwd: server.cwd });
  await run(server, threadId);
  return { ...server, threadId };
}

describe("appended, not rebuilt:", () => {
  for (const [name, change, expected] of changes) {
    test(name, async () => {
      await using server = await started();
      await run(server, server.threadId, change(server));
      assertGrowing(server);
      if (expected) assert.match(added(server), expected);
      else assert.equal(server.model.requests[1]?.body.input.length, 6, "nothing but the answer and the next message");
      await run(server, server.threadId);
      assertGrowing(server);
      assert.doesNotMatch(added(server), /<(environment|permissions|skills)|AGENTS/, "it is told once");
    });
  }

  test("the date", async (context) => {
    await using server = await started();
    const tomorrow = Date.now() + 24 * 3600 * 1000;
    context.mock.timers.enable({ apis: ["Date"], now: tomorrow });
    await run(server, server.threadId);
    context.mock.timers.reset();
    assertGrowing(server);
    assert.match(added(server), /<current_date>/);
  });

  test("settings that change while a turn runs are those of the next one", async () => {
    await using server = await started();
    const { threadId, client, model } = server;
    const held = gate();
    model.script(reply().text(["a", held]).functionCall("exec_command", { cmd: "true" }), reply().text("done"));
    const turnId = await client.start(threadId);
    await model.waitForRequest(1);
    await client.request("thread/settings/update", { threadId, approvalPolicy: "never" });
    held.open();
    await client.ended(turnId);
    assertGrowing(server);
    assert.doesNotMatch(added(server), /<permissions instructions>/);
    await run(server, threadId);
    assertGrowing(server);
    assert.match(added(server), /<permissions instructions>.*"user"/);
  });

  test("an agent's own edits are told with the next turn", async () => {
    await using server = await started();
    const { threadId, client, model, cwd } = server;
    await client.request("thread/settings/update", { threadId, sandboxPolicy: { type: "dangerFullAccess" } });
    model.script(command(`echo EDITED > ${join(cwd, "AGENTS.md")}`), reply().text("done"));
    await run(server, threadId);
    assert.doesNotMatch(added(server), /# AGENTS.md/);
    await run(server, threadId);
    assertGrowing(server);
    assert.match(added(server), /# AGENTS.md.*EDITED/);
  });
});

describe("one prefix:", () => {
  test("a restart, a fork and a fork of it", async () => {
    await using home = await testHome();
    writeFileSync(join(home.cwd, "AGENTS.md"), "FIRST");
    const first = await home.open();
    const threadId = await first.client.thread({ ...restricted, cwd: home.cwd });
    await run(first, threadId);
    await run(first, threadId, { sandboxPolicy: { type: "dangerFullAccess" }, personality: "friendly" });
    await first.close();
    const second = await home.open();
    await second.client.request("thread/resume", { threadId });
    await run(second, threadId);
    const fork = await second.client.request("thread/fork", { threadId });
    await run(second, fork.thread.id);
    const again = await second.client.request("thread/fork", { threadId: fork.thread.id });
    await run(second, again.thread.id);
    assertGrowing(home);
    assert.doesNotMatch(added(home), /<(environment|permissions)|AGENTS/, "nothing has changed");
  });

  if (storedInFiles) {
    test("a thread keeps the instructions that another version of the server gave it", async () => {
      await using home = await testHome();
      const first = await home.open();
      const { thread } = await first.client.request("thread/start", { cwd: home.cwd });
      await run(first, thread.id);
      await first.close();
      const [developer] = home.model.requests[0]?.messages("developer") ?? [];
      const line = JSON.stringify(developer);
      writeFileSync(thread.path, readFileSync(thread.path, "utf8").replace(line, '"OTHER INSTRUCTIONS"'));
      const second = await home.open();
      await second.client.request("thread/resume", { threadId: thread.id });
      await run(second, thread.id);
      assert.deepEqual(home.model.last.messages("developer")[0], "OTHER INSTRUCTIONS");
      assert.doesNotMatch(JSON.stringify(home.model.last.body.input), /You are a coding agent/);
    });
  }

  test("a steer and an interrupt", async () => {
    await using server = await started();
    const { threadId, client, model } = server;
    const held = gate();
    model.script(reply().text(["begun", held]), reply().text("steered"), reply().text(["cut", gate()]));
    const turnId = await client.start(threadId);
    await client.waitFor("item/agentMessage/delta", ({ delta }) => delta === "begun");
    await client.request("turn/steer", { threadId, expectedTurnId: turnId, input: input("also") });
    held.open();
    await client.ended(turnId);
    const cut = await client.start(threadId);
    await client.waitFor("item/agentMessage/delta", ({ delta }) => delta === "cut");
    await client.request("turn/interrupt", { threadId, turnId: cut });
    await client.ended(cut);
    await run(server, threadId);
    assertGrowing(server);
  });

  test("a compaction, which must not call the tools; the history after it begins with the same context", async () => {
    await using server = await started();
    const { threadId, client, model } = server;
    model.script(reply().text("THE SUMMARY"));
    const seen = client.received.length;
    await client.request("thread/compact/start", { threadId });
    await client.find((told) => told.method === "turn/completed" && client.received.indexOf(told) >= seen);
    assertGrowing(server);
    assert.equal(model.last.body.tool_choice, "none");
    await run(server, threadId);
    const [before = [], after = []] = [model.requests[0], model.last].map((request) => serialized(request as never));
    const context = before.length - 1;
    // It may be another day by now.
    const undated = (parts: readonly string[]) => parts.map((part) => part.replace(/<current_date>[^<]*/, ""));
    assert.deepEqual(undated(after.slice(0, context)), undated(before.slice(0, context)));
    assert.match(JSON.stringify(model.last.body.input), /THE SUMMARY/);
    assert.equal(JSON.stringify(model.last.body.input).split("# AGENTS.md").length, 2, "the context is there once");
  });

  test("turns that are reverted take their changes with them", async () => {
    await using server = await started();
    const { threadId, client, model } = server;
    await run(server, threadId, { personality: "friendly" });
    await client.request("thread/rollback", { threadId, numTurns: 1 });
    await run(server, threadId);
    const [first, , last] = model.requests;
    assert.ok(first && last);
    assert.deepEqual(serialized(last).slice(0, serialized(first).length), serialized(first));
    assert.equal(JSON.stringify(last.body.input).split("<personality_spec>").length, 2, "told once more, and once");
  });

  test("all turns reverted, and the first context stays", async () => {
    await using server = await started();
    const { threadId, client, model } = server;
    await client.request("thread/rollback", { threadId, numTurns: 1 });
    await run(server, threadId);
    assert.deepEqual(model.requests[1]?.body, {
      ...model.requests[0]?.body,
      client_metadata: model.requests[1]?.body.client_metadata,
    });
  });
});

test("live search is not opened by a wider sandbox, and closed for good by a stricter one", async () => {
  await using server = await testServer();
  const threadId = await server.client.thread({ cwd: server.cwd, sandbox: "danger-full-access" });
  const search = () => server.model.last.tool("web_search")?.external_web_access;
  await run(server, threadId);
  assert.equal(search(), true);
  await run(server, threadId, { sandboxPolicy: { type: "readOnly" } });
  assert.equal(search(), false);
  await run(server, threadId, { sandboxPolicy: { type: "dangerFullAccess" } });
  assert.equal(search(), false);
});
