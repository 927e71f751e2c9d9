import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNoProcesses, eventually, reply } from "@quire/testkit";
import { full, session } from "./session.ts";

test("servers that cannot be started are told of, each with its reason, and keep no turn from running", async () => {
  await using it = await session({
    absent: { command: "/nonexistent/server" },
    dies: { mood: "dies" },
    silent: { mood: "silent", startup_timeout_sec: 0.2 },
    babbles: { mood: "babbles" },
    empty: { args: ["x"] },
    off: { mood: "good", enabled: false },
    unset: { url: "http://127.0.0.1:9/mcp", bearer_token_env_var: "NOT_SET" },
    srv: { mood: "good" },
  });
  const thread = await it.client.thread(full);
  assert.equal((await it.use(thread, "echo", { text: "hi" })).item.status, "completed");
  const { data } = await it.client.request("mcpServerStatus/list", { threadId: thread, detail: "toolsAndAuthOnly" });
  const shown = Object.fromEntries(
    data.map((row: { name: string; runtimeStatus: string; toolsError: string | null }) => [row.name, row]),
  );
  assert.deepEqual(
    data.map(({ name, runtimeStatus }: { name: string; runtimeStatus: string }) => `${name} ${runtimeStatus}`),
    [
      "absent failed",
      "babbles failed",
      "dies failed",
      "empty failed",
      "off disabled",
      "silent failed",
      "srv connected",
      "unset failed",
    ],
  );
  assert.match(shown.absent.toolsError, /No such file/);
  assert.match(shown.silent.toolsError, /timed out after 0.2 seconds.*startup_timeout_sec/s);
  assert.match(shown.empty.toolsError, /Set either command or url/);
  assert.match(shown.unset.toolsError, /NOT_SET/);
  const failed = await it.client.waitFor(
    "mcpServer/startupStatus/updated",
    ({ name, status }) => name === "dies" && status === "failed",
  );
  assert.match(failed.error, /MCP client for `dies` failed to start/);
});

test("a call that hangs ends when its time is up, a server that crashes or floods is told of, and reload brings it back", async () => {
  // One of its own has little time, for the others have to answer.
  const hurried = { mood: "good", tool_timeout_sec: 0.3 };
  await using it = await session({ hurried, srv: { mood: "good" }, flood: { mood: "good" } });
  const thread = await it.client.thread(full);
  const hung = await it.use(thread, "hang", {}, "mcp__hurried");
  assert.match(hung.item.error.message, /timed out awaiting tools\/call after 0.3s/);
  assert.match((await it.use(thread, "crash")).item.error.message, /Transport closed/);
  assert.match((await it.use(thread, "flood", {}, "mcp__flood")).item.error.message, /Transport closed/);
  await it.client.waitFor(
    "mcpServer/startupStatus/updated",
    ({ name, status }) => name === "srv" && status === "failed",
  );
  await it.client.request("config/mcpServer/reload");
  assert.equal((await it.use(thread, "echo", { text: "again" })).item.status, "completed");
});

test("tools that are described wrongly are left out and told of; the others work", async () => {
  await using it = await session({ srv: { mood: "liar" } });
  const thread = await it.client.thread(full);
  assert.equal((await it.use(thread, "echo", { text: "hi" })).item.status, "completed");
  const { data } = await it.client.request("mcpServerStatus/list", { threadId: thread });
  assert.ok(!("schema_is_text" in data[0].tools) && !("huge" in data[0].tools));
  for (const problem of [/no_schema/, /schema_is_list/, /huge.*longer/, /has no name/, /'echo' is listed twice/])
    assert.match(data[0].toolsError, problem);
  assert.deepEqual(data[0].resources, [{ uri: "mem://a", name: "a" }]);
});

test("progress is passed on, but not more of it than anyone can read", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const { item } = await it.use(await it.client.thread(full), "progress");
  assert.equal(item.status, "completed");
  const steps = it.client.received.filter(({ method }) => method === "item/mcpToolCall/progress");
  assert.ok(steps.length >= 1 && steps.length < 500, `${steps.length} were passed on`);
  assert.equal(steps[0]?.params.message, "step 1");
});

test("an interrupt ends a call and a question at once, and the item is completed", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const asked: unknown[] = [];
  it.client.handle("mcpServer/elicitation/request", (params) => {
    asked.push(params);
    return new Promise(() => undefined);
  });
  const thread = await it.client.thread({ approvalPolicy: "on-request", sandbox: "workspace-write" });
  for (const [index, tool] of ["ask", "wipe"].entries()) {
    it.model.script(reply().functionCall(tool, {}, { callId: `call-${tool}`, namespace: "mcp__srv" }));
    const { turn } = await it.client.request("turn/start", { threadId: thread, input: [{ type: "text", text: "go" }] });
    await eventually(() => asked.length === index + 1);
    await it.client.request("turn/interrupt", { threadId: thread, turnId: turn.id });
    const { turn: ended } = await it.client.waitFor("turn/completed", (params) => params.turn.id === turn.id);
    assert.equal(ended.status, "interrupted");
    assert.equal(
      (await it.client.waitFor("item/completed", ({ item }) => item.id === `call-${tool}`)).item.status,
      "failed",
    );
  }
});

test("a server that asks a hundred things at once, or says a thousand times that its tools changed, is bounded", async () => {
  await using it = await session({ srv: { mood: "good" } });
  let asked = 0;
  let allAsked: Promise<unknown> | undefined;
  it.client.handle("mcpServer/elicitation/request", async () => {
    asked += 1;
    // The server's answer to this comes behind all that it asks, so nobody is answered before the last question is there.
    allAsked ??= it.client.request("mcpServer/tool/call", {
      threadId: thread,
      server: "srv",
      tool: "echo",
      arguments: { text: "" },
    });
    await allAsked;
    return { action: "accept", content: { n: 1 } } as never;
  });
  const thread = await it.client.thread({ approvalPolicy: "on-request", sandbox: "workspace-write" });
  const { item } = await it.use(thread, "pester");
  const actions = JSON.parse(item.result.content[0].text) as string[];
  assert.equal(actions.length, 100);
  assert.ok(actions.includes("decline") && actions.includes("accept"));
  assert.equal(actions.filter((action) => action === "accept").length, asked);
  assert.equal((await it.use(thread, "change")).item.status, "completed");
  assert.equal((await it.use(thread, "echo", { text: "still here" })).item.status, "completed");
});

test("each thread has its own processes, and they go with it: stubborn ones and their children too", async () => {
  await using it = await session({ parent: { mood: "parent" }, stubborn: { mood: "stubborn" } });
  const threads = [await it.client.thread(full), await it.client.thread(full)];
  for (const threadId of threads) {
    await it.client.waitFor(
      "mcpServer/startupStatus/updated",
      (params) => params.threadId === threadId && params.name === "stubborn" && params.status === "ready",
    );
    await it.client.waitFor(
      "mcpServer/startupStatus/updated",
      (params) => params.threadId === threadId && params.name === "parent" && params.status === "ready",
    );
  }
  for (const threadId of threads) await it.client.request("thread/archive", { threadId });
  await assertNoProcesses({ tag: it.tag });
});

test("a thread that closes while its servers start leaves nothing behind; reloads at once start nothing twice", async () => {
  await using it = await session({ silent: { mood: "silent" }, srv: { mood: "good" } });
  const closing = await it.client.thread(full);
  await it.client.request("thread/archive", { threadId: closing });
  await assertNoProcesses({ tag: it.tag });
  it.write({ srv: { mood: "good" } });
  const thread = await it.client.thread(full);
  await it.use(thread, "crash");
  await Promise.all([1, 2, 3].map(() => it.client.request("config/mcpServer/reload")));
  assert.equal((await it.use(thread, "echo", { text: "once" })).item.status, "completed");
  const starts = it.client.received.filter(
    ({ method, params }) =>
      method === "mcpServer/startupStatus/updated" && params.threadId === thread && params.status === "starting",
  );
  assert.equal(starts.length, 2);
});
