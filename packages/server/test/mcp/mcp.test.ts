import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { assertNoProcesses, eventually, mockResponses, reply, tempDir } from "@quire/testkit";
import { embedded } from "../support/embedded.ts";
import { Talk } from "../support/talk.ts";

const fixture = fileURLToPath(new URL("fixtures/server.mjs", import.meta.url));

/** Servers by name: a mood, and further keys of the row. */
type Servers = Readonly<Record<string, { readonly mood?: string; readonly [key: string]: unknown }>>;

function rows(servers: Servers): string {
  const lines = Object.entries(servers).map(([name, { mood, ...more }]) => {
    const keys = { ...(mood === undefined ? {} : { command: process.execPath, args: [fixture, mood] }), ...more };
    return [
      `[mcp_servers.${name}]`,
      ...Object.entries(keys).map(([key, value]) => `${key} = ${JSON.stringify(value)}`),
    ].join("\n");
  });
  return lines.join("\n");
}

/** A server with a scripted model and these MCP servers; all that they start is gone in the end. */
async function session(servers: Servers, env: Record<string, string> = {}) {
  const model = await mockResponses();
  const folder = await tempDir("quire-mcp-");
  const tag = `QUIRE_MCP_TEST=${crypto.randomUUID()}`;
  const base = [
    'model = "mock"',
    'model_provider = "mock"',
    "[model_providers.mock]",
    'name = "mock"',
    `base_url = "${model.url}"`,
    "stream_max_retries = 0",
  ];
  const file = join(folder.path, "config.toml");
  const write = (given: Servers) => writeFileSync(file, [...base, rows(given)].join("\n"));
  const tagged = (given: Servers) =>
    Object.fromEntries(
      Object.entries(given).map(([name, row]) => [name, row.mood ? { env_vars: ["QUIRE_MCP_TEST"], ...row } : row]),
    );
  write(tagged(servers));
  const server = await embedded({
    home: folder.path,
    env: { PATH: process.env.PATH, HOME: folder.path, QUIRE_MCP_TEST: tag.split("=")[1], ...env },
  });
  const talk = new Talk(await server.connect(), [
    "turn/completed",
    "item/completed",
    "mcpServer/startupStatus/updated",
    "item/mcpToolCall/progress",
  ]);
  return {
    talk,
    model,
    home: folder.path,
    file,
    tag,
    write: (given: Servers) => write(tagged(given)),
    /** Has the model call a tool; gives the item and what the model was told. */
    use: async (threadId: string, name: string, args: object = {}, namespace = "mcp__srv") => {
      const callId = crypto.randomUUID();
      model.script(reply().functionCall(name, args, { callId, namespace }), reply().text("Done."));
      await talk.turn(threadId);
      const item = talk.heard.find(({ method, params }) => method === "item/completed" && params.item.id === callId)
        ?.params.item;
      const input = model.last?.body.input as { call_id?: string; type: string; output?: unknown }[];
      const told = input.find((each) => each.call_id === callId && each.type === "function_call_output")?.output;
      return { item, told: JSON.stringify(told) };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await assertNoProcesses({ tag });
      await model.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const full = { approvalPolicy: "never", sandbox: "danger-full-access" };

test("tools are offered by namespace, and results of each kind reach item and model", async () => {
  await using it = await session({ srv: { mood: "good", disabled_tools: ["crash"] } });
  const thread = await it.talk.thread(full);
  const echo = await it.use(thread, "echo", { text: "hi" });
  assert.deepEqual([echo.item.status, echo.item.result.content[0].text], ["completed", "echo hi"]);
  type Offer = { name: string; description: string; tools?: { name: string }[] };
  const offers = (it.model.requests[0]?.body.tools ?? []) as unknown as Offer[];
  const offered = offers.find(({ name }) => name === "mcp__srv");
  assert.equal(offered?.description, "Handle with care.");
  const names = offered?.tools?.map(({ name }) => name) ?? [];
  assert.deepEqual(names, [...names].sort());
  assert.ok(names.includes("echo") && !names.includes("crash"));
  const picture = await it.use(thread, "picture");
  assert.match(picture.told, /"type":"input_image","image_url":"data:image\/png;base64,iVBOR.*could not be processed/);
  const numbers = await it.use(thread, "numbers");
  assert.deepEqual(numbers.item.result.structuredContent, { n: 2 });
  assert.match(numbers.told, /Output:\\n\{\\"n\\":2\}/);
  const failed = await it.use(thread, "fail");
  assert.deepEqual([failed.item.status, failed.item.error], ["failed", null]);
  assert.match((await it.use(thread, "crash")).told, /unsupported call: mcp__srvcrash/);
});

test("a server sees of our environment what it needs and what its row hands on, and no keys", async () => {
  await using it = await session(
    { srv: { mood: "good", "env.OWN": "1" } },
    { OPENAI_API_KEY: "sk-secret", OTHER: "x" },
  );
  const { item } = await it.use(await it.talk.thread(full), "environment");
  const env = JSON.parse(item.result.content[0].text) as Record<string, string>;
  assert.deepEqual([env.OWN, env.OTHER, env.OPENAI_API_KEY, env.PATH], ["1", undefined, undefined, process.env.PATH]);
});

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
  const thread = await it.talk.thread(full);
  assert.equal((await it.use(thread, "echo", { text: "hi" })).item.status, "completed");
  const { data } = await it.talk.call("mcpServerStatus/list", { threadId: thread, detail: "toolsAndAuthOnly" });
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
  const failed = await it.talk.told(
    "mcpServer/startupStatus/updated",
    ({ name, status }) => name === "dies" && status === "failed",
  );
  assert.match(failed.error, /MCP client for `dies` failed to start/);
});

test("a call that hangs ends when its time is up, a server that crashes or floods is told of, and reload brings it back", async () => {
  await using it = await session({ srv: { mood: "good", tool_timeout_sec: 0.3 }, flood: { mood: "good" } });
  const thread = await it.talk.thread(full);
  assert.match((await it.use(thread, "hang")).item.error.message, /timed out awaiting tools\/call after 0.3s/);
  assert.match((await it.use(thread, "crash")).item.error.message, /Transport closed/);
  assert.match((await it.use(thread, "flood", {}, "mcp__flood")).item.error.message, /Transport closed/);
  await it.talk.told("mcpServer/startupStatus/updated", ({ name, status }) => name === "srv" && status === "failed");
  await it.talk.call("config/mcpServer/reload");
  assert.equal((await it.use(thread, "echo", { text: "again" })).item.status, "completed");
});

test("tools that are described wrongly are left out and told of; the others work", async () => {
  await using it = await session({ srv: { mood: "liar" } });
  const thread = await it.talk.thread(full);
  assert.equal((await it.use(thread, "echo", { text: "hi" })).item.status, "completed");
  const { data } = await it.talk.call("mcpServerStatus/list", { threadId: thread });
  assert.ok(!("schema_is_text" in data[0].tools) && !("huge" in data[0].tools));
  for (const problem of [/no_schema/, /schema_is_list/, /huge.*longer/, /has no name/, /'echo' is listed twice/])
    assert.match(data[0].toolsError, problem);
  assert.deepEqual(data[0].resources, [{ uri: "mem://a", name: "a" }]);
});

test("progress is passed on, but not more of it than anyone can read", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const { item } = await it.use(await it.talk.thread(full), "progress");
  assert.equal(item.status, "completed");
  const steps = it.talk.heard.filter(({ method }) => method === "item/mcpToolCall/progress");
  assert.ok(steps.length >= 1 && steps.length < 500, `${steps.length} were passed on`);
  assert.equal(steps[0]?.params.message, "step 1");
});

test("an interrupt ends a call and a question at once, and the item is completed", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const asked: unknown[] = [];
  it.talk.client.handle("mcpServer/elicitation/request", (params) => {
    asked.push(params);
    return new Promise(() => undefined);
  });
  const thread = await it.talk.thread({ approvalPolicy: "on-request", sandbox: "workspace-write" });
  for (const [index, tool] of ["ask", "wipe"].entries()) {
    it.model.script(reply().functionCall(tool, {}, { callId: `call-${tool}`, namespace: "mcp__srv" }));
    const { turn } = await it.talk.call("turn/start", { threadId: thread, input: [{ type: "text", text: "go" }] });
    await eventually(() => asked.length === index + 1);
    await it.talk.call("turn/interrupt", { threadId: thread, turnId: turn.id });
    const { turn: ended } = await it.talk.told("turn/completed", (params) => params.turn.id === turn.id);
    assert.equal(ended.status, "interrupted");
    assert.equal(
      (await it.talk.told("item/completed", ({ item }) => item.id === `call-${tool}`)).item.status,
      "failed",
    );
  }
});

test("a server that asks a hundred things at once, or says a thousand times that its tools changed, is bounded", async () => {
  await using it = await session({ srv: { mood: "good" } });
  let asked = 0;
  it.talk.client.handle("mcpServer/elicitation/request", async () => {
    asked += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return { action: "accept", content: { n: 1 } } as never;
  });
  const thread = await it.talk.thread({ approvalPolicy: "on-request", sandbox: "workspace-write" });
  const { item } = await it.use(thread, "pester");
  const actions = JSON.parse(item.result.content[0].text) as string[];
  assert.equal(actions.length, 100);
  assert.ok(actions.includes("decline") && actions.includes("accept"));
  assert.equal(actions.filter((action) => action === "accept").length, asked);
  assert.equal((await it.use(thread, "change")).item.status, "completed");
  assert.equal((await it.use(thread, "echo", { text: "still here" })).item.status, "completed");
});

test("time that a user takes to answer does not count; an approval for ever stands in the config", async () => {
  await using it = await session({
    srv: { mood: "good", tool_timeout_sec: 0.3 },
    clock: { mood: "good", tool_timeout_sec: 0.3 },
  });
  const thread = await it.talk.thread({ approvalPolicy: "on-request", sandbox: "workspace-write" });
  const stop = it.talk.client.handle("mcpServer/elicitation/request", async () => {
    // A call that began later has run out of the same time.
    await assert.rejects(
      it.talk.call("mcpServer/tool/call", { threadId: thread, server: "clock", tool: "hang" }),
      /timed out/,
    );
    return { action: "accept", content: { n: 3 } } as never;
  });
  assert.match((await it.use(thread, "ask")).item.result.content[0].text, /"n":3/);
  stop();
  it.talk.client.handle(
    "mcpServer/elicitation/request",
    () => ({ action: "accept", content: null, _meta: { persist: "always" } }) as never,
  );
  assert.equal((await it.use(thread, "wipe")).item.status, "completed");
  assert.match(readFileSync(it.file, "utf8"), /approval_mode = "approve"/);
});

test("each thread has its own processes, and they go with it: stubborn ones and their children too", async () => {
  await using it = await session({ parent: { mood: "parent" }, stubborn: { mood: "stubborn" } });
  const threads = [await it.talk.thread(full), await it.talk.thread(full)];
  for (const threadId of threads) {
    await it.talk.told(
      "mcpServer/startupStatus/updated",
      (params) => params.threadId === threadId && params.name === "stubborn" && params.status === "ready",
    );
    await it.talk.told(
      "mcpServer/startupStatus/updated",
      (params) => params.threadId === threadId && params.name === "parent" && params.status === "ready",
    );
  }
  for (const threadId of threads) await it.talk.call("thread/archive", { threadId });
  await assertNoProcesses({ tag: it.tag });
});

test("a reload keeps what is unchanged and ends what is gone", async () => {
  await using it = await session({ keep: { mood: "good" }, drop: { mood: "good" } });
  const thread = await it.talk.thread(full);
  await it.use(thread, "echo", {}, "mcp__keep");
  it.write({ keep: { mood: "good" }, added: { mood: "good" } });
  await it.talk.call("config/mcpServer/reload");
  await it.talk.told("mcpServer/startupStatus/updated", ({ name, status }) => name === "added" && status === "ready");
  const { data } = await it.talk.call("mcpServerStatus/list", { threadId: thread });
  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ["added", "keep"],
  );
  const starts = it.talk.heard.filter(
    ({ method, params }) =>
      method === "mcpServer/startupStatus/updated" && params.name === "keep" && params.status === "starting",
  );
  assert.equal(starts.length, 1);
});

test("tools and resources are there without a model, and for threads that bring their own servers", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const own = { command: process.execPath, args: [fixture, "good"] };
  const thread = await it.talk.thread({ ...full, config: { "mcp_servers.own": own } });
  const result = await it.talk.call("mcpServer/tool/call", {
    threadId: thread,
    server: "own",
    tool: "echo",
    arguments: { text: "x" },
  });
  assert.deepEqual(result, { content: [{ type: "text", text: "echo x" }] });
  await assert.rejects(
    it.talk.call("mcpServer/tool/call", { threadId: thread, server: "nope", tool: "echo" }),
    /unknown MCP server 'nope'/,
  );
  const read = { contents: [{ uri: "mem://a", text: "content" }], originCallId: null };
  assert.deepEqual(
    await it.talk.call("mcpServer/resource/read", { threadId: thread, server: "own", uri: "mem://a" }),
    read,
  );
  assert.deepEqual(await it.talk.call("mcpServer/resource/read", { server: "srv", uri: "mem://a" }), read);
  const first = await it.talk.call("mcpServerStatus/list", { limit: 1 });
  assert.deepEqual([first.data.length, first.nextCursor, first.data[0].name], [1, null, "srv"]);
  await assert.rejects(it.talk.call("mcpServerStatus/list", { cursor: "9" }), /cursor 9 exceeds total MCP servers 1/);
});
