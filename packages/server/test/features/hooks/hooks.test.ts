import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import type { HookCompletedNotification, HookMetadata } from "@quire/protocol";
import { eventually, reply, tempDir } from "@quire/testkit";
import { command, type TestServer, testServer, unattended } from "../../support/test-server.ts";

/** What the model was sent in its latest request, as text. */
const lastInput = ({ model }: TestServer) => JSON.stringify(model.requests.at(-1)?.body);

function setUp(folder: string, hooks: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "hooks.json"), JSON.stringify({ hooks }));
}

const one = (command: string, more: object = {}) => [{ hooks: [{ type: "command", command, ...more }] }];

async function listed({ client }: TestServer, cwd: string): Promise<HookMetadata[]> {
  const { data } = (await client.request("hooks/list", { cwds: [cwd] })) as { data: { hooks: HookMetadata[] }[] };
  return data.flatMap(({ hooks }) => hooks);
}

async function trust(server: TestServer, cwd: string): Promise<void> {
  const state = (await listed(server, cwd)).map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]);
  await server.client.request("config/value/write", {
    keyPath: "hooks.state",
    value: Object.fromEntries(state),
    mergeStrategy: "upsert",
  });
}

test("a hook that nobody has trusted does not run, nor one that was changed since", async () => {
  await using folder = await tempDir("quire-hooks-");
  const home = join(folder.path, "home");
  const mark = join(folder.path, "ran");
  await using server = await testServer({ home, model: "scripted" });
  setUp(home, { Stop: one(`touch ${mark}`) });
  const untrusted = await server.client.thread({ ...unattended, cwd: folder.path });
  await server.client.turn(untrusted);
  assert.equal(existsSync(mark), false);

  await trust(server, folder.path);
  setUp(home, { Stop: one(`touch ${mark}; true`) });
  assert.deepEqual(
    (await listed(server, folder.path)).map((hook) => hook.trustStatus),
    ["modified"],
  );
  await server.client.turn(await server.client.thread({ ...unattended, cwd: folder.path }));
  assert.equal(existsSync(mark), false);

  setUp(home, { Stop: one(`touch ${mark}`) });
  await server.client.turn(await server.client.thread({ ...unattended, cwd: folder.path }));
  assert.equal(existsSync(mark), true);
});

test("a project cannot trust its own hooks, and has none before it is trusted itself", async () => {
  await using folder = await tempDir("quire-hooks-");
  const home = join(folder.path, "home");
  const project = join(folder.path, "project");
  await using server = await testServer({ home, model: "scripted" });
  setUp(join(project, ".codex"), { Stop: one("true") });
  assert.deepEqual(await listed(server, project), []);

  await server.client.request("config/value/write", {
    keyPath: `projects.${JSON.stringify(project)}.trust_level`,
    value: "trusted",
    mergeStrategy: "replace",
  });
  const [hook] = await listed(server, project);
  assert.deepEqual([hook?.source, hook?.trustStatus], ["project", "untrusted"]);
  const trusting = `[hooks.state.${JSON.stringify(hook?.key)}]\ntrusted_hash = "${hook?.currentHash}"\n`;
  writeFileSync(join(project, ".codex", "config.toml"), trusting);
  assert.equal((await listed(server, project))[0]?.trustStatus, "untrusted");
});

test("a turn does not wait for a hook in the background, and the model hears of it later", async () => {
  await using folder = await tempDir("quire-hooks-");
  const home = join(folder.path, "home");
  const go = join(folder.path, "go");
  const done = join(folder.path, "done");
  await using server = await testServer({ home, model: "scripted" });
  const context = { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "found out" } };
  const script = `while ! [ -e ${go} ]; do sleep 0.01; done; echo '${JSON.stringify(context)}'; touch ${done}`;
  setUp(home, { UserPromptSubmit: one(script, { async: true }) });
  await trust(server, folder.path);
  const thread = await server.client.thread({ ...unattended, cwd: folder.path });
  assert.equal((await server.client.turn(thread)).status, "completed");
  assert.doesNotMatch(lastInput(server), /found out/);

  writeFileSync(go, "");
  await eventually(() => existsSync(done));
  await eventually(async () => {
    await server.client.turn(thread);
    return lastInput(server).includes("found out");
  });
});

test("a hook that floods its output is cut off, and the model gets both ends and a file", async () => {
  await using folder = await tempDir("quire-hooks-");
  const home = join(folder.path, "home");
  await using server = await testServer({ home, model: "scripted" });
  setUp(home, { SessionStart: one("echo begin; head -c 5000000 /dev/zero | tr '\\0' x; echo end") });
  await trust(server, folder.path);
  await server.client.turn(await server.client.thread({ ...unattended, cwd: folder.path }));
  const input = lastInput(server);
  assert.ok(input.length < 100_000);
  const path = /the whole output is in (\S+\.txt)/.exec(input)?.[1] ?? "";
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700, "only its user can read it");
  assert.match(input, /begin/);
  assert.equal(readFileSync(path, "utf8").length <= 1024 * 1024, true);
  rmSync(dirname(path), { recursive: true });
});

test("an interrupt ends the hook that a turn waits for", async () => {
  await using folder = await tempDir("quire-hooks-");
  const home = join(folder.path, "home");
  await using server = await testServer({ home, model: "scripted" });
  const began = join(folder.path, "began");
  const completed: HookCompletedNotification[] = [];
  server.client.on("hook/completed", (params) => void completed.push(params as HookCompletedNotification));
  setUp(home, { PreToolUse: one(`touch ${began}; exec sleep 1000`) });
  await trust(server, folder.path);
  const thread = await server.client.thread({ ...unattended, cwd: folder.path });
  server.model.script(command("true"), reply().text("done"));
  const ended = server.client.turn(thread);
  await eventually(() => existsSync(began));
  await server.client.interrupt(thread);
  assert.equal((await ended).status, "interrupted");
  assert.equal(completed[0]?.run.status, "failed");
});

/** An MCP server whose tool never answers. */
const silentServer = `
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const send = (result) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
  const info = { capabilities: { tools: {} }, serverInfo: { name: "s", version: "1" } };
  if (method === "initialize") send({ protocolVersion: params.protocolVersion, ...info });
  if (method === "tools/list") send({ tools: [{ name: "wait", inputSchema: { type: "object" } }] });
});
`;

test("a hook whose tool never answers ends with its time, and the turn goes on", async () => {
  await using folder = await tempDir("quire-hooks-");
  const home = join(folder.path, "home");
  await using server = await testServer({ home, model: "scripted" });
  const script = join(folder.path, "silent.cjs");
  writeFileSync(script, silentServer);
  await server.client.request("config/value/write", {
    keyPath: "mcp_servers.s",
    value: { command: process.execPath, args: [script] },
    mergeStrategy: "replace",
  });
  setUp(home, { UserPromptSubmit: [{ hooks: [{ type: "mcp_tool", server: "s", tool: "wait", timeout: 1 }] }] });
  await trust(server, folder.path);
  const completed: HookCompletedNotification[] = [];
  server.client.on("hook/completed", (params) => void completed.push(params as HookCompletedNotification));
  await server.client.turn(await server.client.thread({ ...unattended, cwd: folder.path }));
  assert.deepEqual(
    completed.map(({ run }) => [run.handlerType, run.status, run.entries[0]?.text]),
    [["mcpTool", "failed", "hook timed out after 1s"]],
  );
});
