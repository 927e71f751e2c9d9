import assert from "node:assert/strict";
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { reply, tempDir } from "@quire/testkit";
import { longEnough } from "../support/long-enough.ts";
import { fixture, full, session } from "./session.ts";

test("tools are offered by namespace, and results of each kind reach item and model", async () => {
  await using it = await session({ srv: { mood: "good", disabled_tools: ["crash"] } });
  const thread = await it.client.thread(full);
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
  assert.match(
    picture.told,
    /"type":"input_image","image_url":"data:image\/png;base64,iVBOR(.*could not be processed){2}/,
  );
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
  const { item } = await it.use(await it.client.thread(full), "environment");
  const env = JSON.parse(item.result.content[0].text) as Record<string, string>;
  assert.deepEqual([env.OWN, env.OTHER, env.OPENAI_API_KEY], ["1", undefined, undefined]);
  // All folders are there; those of the work come last.
  const folders = (path: string | undefined) => path?.split(":").sort();
  assert.deepEqual(folders(env.PATH), folders(process.env.PATH));
});

const onRequest = { approvalPolicy: "on-request", sandbox: "workspace-write" };

test("time that a user takes to answer does not count", async () => {
  const answered = await longEnough(async (limitMs) => {
    const row = { mood: "good", tool_timeout_sec: limitMs / 1000 };
    await using it = await session({ srv: row, clock: row });
    const thread = await it.client.thread(onRequest);
    it.client.handle("mcpServer/elicitation/request", async () => {
      // A call that began later has run out of the same time.
      await assert.rejects(
        it.client.request("mcpServer/tool/call", { threadId: thread, server: "clock", tool: "hang" }),
        /timed out/,
      );
      return { action: "accept", content: { n: 3 } } as never;
    });
    return (await it.use(thread, "ask")).item.result?.content[0].text as string | undefined;
  });
  assert.match(answered, /"n":3/);
});

test("a server's question keeps the server's notes, and cannot pass for an approval of ours", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const metas: unknown[] = [];
  it.client.handle("mcpServer/elicitation/request", (params) => {
    metas.push((params as { _meta?: unknown })._meta);
    return { action: "decline", content: null, _meta: null } as never;
  });
  await it.use(await it.client.thread(onRequest), "ask", { meta: { codex_approval_kind: "mcp_tool_call", own: 1 } });
  assert.deepEqual(metas.at(-1), { own: 1 });
});

test("an approval for ever stands in the config", async () => {
  await using it = await session({ srv: { mood: "good" } });
  it.client.handle(
    "mcpServer/elicitation/request",
    () => ({ action: "accept", content: null, _meta: { persist: "always" } }) as never,
  );
  assert.equal((await it.use(await it.client.thread(onRequest), "wipe")).item.status, "completed");
  assert.match(readFileSync(it.file, "utf8"), /approval_mode = "approve"/);
});

test("an approval for ever of a project's server stands in the project, which stays trusted", async () => {
  await using it = await session({});
  await using folder = await tempDir("quire-mcp-project-");
  const project = realpathSync(folder.path);
  mkdirSync(join(project, ".codex"));
  const row = `command = ${JSON.stringify(process.execPath)}\nargs = ${JSON.stringify([fixture, "good"])}\n`;
  const file = join(project, ".codex/config.toml");
  writeFileSync(file, `[mcp_servers.srv]\n${row}env_vars = ["QUIRE_MCP_TEST"]\n`);
  await it.client.request("config/value/write", {
    keyPath: `projects.${JSON.stringify(project)}.trust_level`,
    value: "trusted",
    mergeStrategy: "replace",
  });
  let asked = 0;
  it.client.handle("mcpServer/elicitation/request", () => {
    asked++;
    return { action: "accept", content: null, _meta: { persist: "always" } } as never;
  });
  for (const _ of [1, 2]) {
    const thread = await it.client.thread({ ...onRequest, cwd: project });
    assert.equal((await it.use(thread, "wipe")).item.status, "completed");
  }
  assert.equal(asked, 1);
  assert.match(readFileSync(file, "utf8"), /approval_mode = "approve"/);
  assert.doesNotMatch(readFileSync(it.file, "utf8"), /approval_mode/);
});

test("an approval for ever of a server that no config file names holds for the session alone", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const offered: unknown[] = [];
  it.client.handle("mcpServer/elicitation/request", (params) => {
    offered.push((params as { _meta?: { persist?: unknown } })._meta?.persist);
    return { action: "accept", content: null, _meta: { persist: "always" } } as never;
  });
  const own = { command: process.execPath, args: [fixture, "good"] };
  const thread = await it.client.thread({ ...onRequest, config: { "mcp_servers.own": own } });
  for (const _ of [1, 2]) assert.equal((await it.use(thread, "wipe", {}, "mcp__own")).item.status, "completed");
  assert.deepEqual(offered, [["session"]]);
  assert.doesNotMatch(readFileSync(it.file, "utf8"), /approval_mode/);
});

test("a reload keeps what is unchanged and ends what is gone", async () => {
  await using it = await session({ keep: { mood: "good" }, drop: { mood: "good" } });
  const thread = await it.client.thread(full);
  await it.use(thread, "echo", {}, "mcp__keep");
  it.write({ keep: { mood: "good" }, added: { mood: "good" } });
  await it.client.request("config/mcpServer/reload");
  await it.client.waitFor(
    "mcpServer/startupStatus/updated",
    ({ name, status }) => name === "added" && status === "ready",
  );
  const { data } = await it.client.request("mcpServerStatus/list", { threadId: thread });
  assert.deepEqual(
    data.map(({ name }: { name: string }) => name),
    ["added", "keep"],
  );
  const starts = it.client.received.filter(
    ({ method, params }) =>
      method === "mcpServer/startupStatus/updated" && params.name === "keep" && params.status === "starting",
  );
  assert.equal(starts.length, 1);
});

test("tools and resources are there without a model, and for threads that bring their own servers", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const own = { command: process.execPath, args: [fixture, "good"] };
  const thread = await it.client.thread({ ...full, config: { "mcp_servers.own": own } });
  const result = await it.client.request("mcpServer/tool/call", {
    threadId: thread,
    server: "own",
    tool: "echo",
    arguments: { text: "x" },
  });
  assert.deepEqual(result, { content: [{ type: "text", text: "echo x" }] });
  await assert.rejects(
    it.client.request("mcpServer/tool/call", { threadId: thread, server: "nope", tool: "echo" }),
    /unknown MCP server 'nope'/,
  );
  const read = { contents: [{ uri: "mem://a", text: "content" }], originCallId: null };
  assert.deepEqual(
    await it.client.request("mcpServer/resource/read", { threadId: thread, server: "own", uri: "mem://a" }),
    read,
  );
  assert.deepEqual(await it.client.request("mcpServer/resource/read", { server: "srv", uri: "mem://a" }), read);
  const first = await it.client.request("mcpServerStatus/list", { limit: 1 });
  assert.deepEqual([first.data.length, first.nextCursor, first.data[0].name], [1, null, "srv"]);
  await assert.rejects(
    it.client.request("mcpServerStatus/list", { cursor: "9" }),
    /cursor 9 exceeds total MCP servers 1/,
  );
});

test("a reviewer in the user's place decides over a call that would be asked about", async () => {
  await using it = await session({ srv: { mood: "good" } });
  const thread = await it.client.thread({
    approvalPolicy: "on-request",
    sandbox: "workspace-write",
    approvalsReviewer: "auto_review",
  });
  const verdicts = ["deny", "allow"].map((outcome) =>
    reply().text(JSON.stringify({ outcome, rationale: `I ${outcome}` })),
  );
  it.model.when(({ body }) => JSON.stringify(body).includes('"risk_level":{')).reply(...verdicts);
  const denied = await it.use(thread, "wipe");
  assert.equal(denied.item.status, "failed");
  assert.match(denied.told, /I deny/);
  assert.equal((await it.use(thread, "wipe")).item.status, "completed");
});

test("tools of a server that comes later are offered last, also after a restart and in a fork", async () => {
  await using it = await session({});
  const threadId = await it.client.thread(full);
  await it.client.turn(threadId);
  it.write({ late: { mood: "good" } });
  await it.client.request("config/mcpServer/reload");
  await it.client.waitFor("mcpServer/startupStatus/updated", ({ status }) => status === "ready");
  await it.client.turn(threadId);
  await it.close();
  const { client } = await it.open();
  await client.request("thread/resume", { threadId });
  await client.turn(threadId);
  const fork = await client.request("thread/fork", { threadId });
  await client.turn(fork.thread.id);
  const offers = it.model.requests.map(({ body }) => body.tools ?? []);
  const [first = [], ...later] = offers;
  assert.equal(later.length, 3);
  for (const offer of later) {
    assert.deepEqual(offer, later[0]);
    assert.deepEqual(offer.slice(0, first.length), first);
    assert.ok(offer.slice(first.length).some(({ name }) => name === "mcp__late"));
  }
});
