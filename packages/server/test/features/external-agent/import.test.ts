import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import type { TestClient } from "../../support/test-client.ts";
import { testServer } from "../../support/test-server.ts";

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

test("what is there already stays as it is, and is not offered again", async () => {
  await using user = await tempDir("quire-import-");
  const home = join(user.path, ".quire");
  put(join(home, "AGENTS.md"), "Mine");
  put(join(home, "config.toml"), '# kept\n[mcp_servers.known]\ncommand = "mine"\n');
  put(join(user.path, ".claude/CLAUDE.md"), "Theirs");
  const theirs = { mcpServers: { known: { command: "theirs" }, fresh: { command: "theirs" } } };
  put(join(user.path, ".claude.json"), JSON.stringify(theirs));
  await using host = await testServer({ home, env: { PATH: process.env.PATH, HOME: user.path } });
  const client = host.client;
  const { items } = await client.request("externalAgentConfig/detect", { includeHome: true });
  assert.deepEqual(
    items.map((item: { itemType: string }) => item.itemType),
    ["MCP_SERVER_CONFIG"],
  );
  await client.request("externalAgentConfig/import", {
    migrationItems: [...items, { ...items[0], itemType: "AGENTS_MD" }],
  });
  await client.waitFor("externalAgentConfig/import/completed");
  const config = readFileSync(join(home, "config.toml"), "utf8");
  assert.match(config, /# kept\n\[mcp_servers\.known\]\ncommand = "mine"/);
  assert.match(config, /\[mcp_servers\.fresh\]/);
  assert.equal(readFileSync(join(home, "AGENTS.md"), "utf8"), "Mine");
  assert.deepEqual((await client.request("externalAgentConfig/detect", { includeHome: true })).items, []);
});

test("a conversation with another agent can be gone on with", async () => {
  await using user = await tempDir("quire-import-");
  const said = (role: string, content: unknown) =>
    JSON.stringify({ type: role, cwd: user.path, timestamp: "2026-01-01T00:00:00Z", message: { role, content } });
  const lines = [
    said("user", "What is two and two?"),
    "no json",
    said("assistant", [
      { type: "tool_use", id: "x" },
      { type: "text", text: "Four." },
    ]),
  ];
  put(join(user.path, ".claude/projects/p/1.jsonl"), lines.join("\n"));
  await using host = await testServer({ model: "offline", env: { HOME: user.path } });
  const client = host.client;
  const { items } = await client.request("externalAgentConfig/detect", { includeHome: true });
  assert.equal(items[0].details.sessions[0].title, "What is two and two?");
  await client.request("externalAgentConfig/import", { migrationItems: items });
  const { itemTypeResults } = await client.waitFor("externalAgentConfig/import/completed");
  const threadId = itemTypeResults[0].successes[0].target;
  const { thread } = await client.request("thread/resume", { threadId });
  const texts = thread.turns[0].items.map(
    (item: { text?: string; content?: { text: string }[] }) => item.text ?? item.content?.[0]?.text,
  );
  assert.deepEqual(texts, ["What is two and two?", "Four."]);
  await client.request("turn/start", { threadId, input: [{ type: "text", text: "help", text_elements: [] }] });
  assert.equal((await client.waitFor("turn/completed")).turn.status, "completed");
});

interface ProjectScene {
  readonly root: string;
  readonly base: string;
  readonly client: TestClient;
  detect(): Promise<{ itemType: string }[]>;
  /** Takes items over and gives what failed. */
  take(items: readonly object[]): Promise<string[]>;
}

/** A trusted project of which another agent has servers. */
async function inProject(files: Readonly<Record<string, string>>, use: (scene: ProjectScene) => Promise<void>) {
  await using user = await tempDir("quire-import-");
  const root = join(user.path, "repo");
  const home = join(user.path, ".quire");
  put(join(root, ".git/HEAD"), "ref: refs/heads/main\n");
  for (const [path, text] of Object.entries(files)) put(join(root, path), text);
  put(join(home, "config.toml"), `[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`);
  await using host = await testServer({ home, env: { PATH: process.env.PATH, HOME: user.path } });
  const client = host.client;
  await client.request("config/read", { cwd: root });
  const detect = async () => (await client.request("externalAgentConfig/detect", { cwds: [root] })).items;
  const take = async (items: readonly object[]) => {
    const { importId } = await client.request("externalAgentConfig/import", { migrationItems: items });
    const { itemTypeResults } = await client.waitFor(
      "externalAgentConfig/import/completed",
      (each) => each.importId === importId,
    );
    return itemTypeResults.flatMap(({ failures }: { failures: { message: string }[] }) =>
      failures.map(({ message }) => message),
    );
  };
  await use({ root, base: user.path, client, detect, take });
}

const servers = (rows: object) => JSON.stringify({ mcpServers: rows });

test("servers that a user takes over into a trusted project count at once, with the scripts that they name", async () => {
  const files = { ".mcp.json": servers({ x: { command: "sh", args: ["x.sh"] } }), "x.sh": "touch ran\n" };
  await inProject(files, async ({ root, client, detect, take }) => {
    assert.deepEqual(await take(await detect()), []);
    const { config } = await client.request("config/read", { cwd: root });
    assert.deepEqual(config.mcp_servers, { x: { command: "sh", args: ["x.sh"] } });
    const threadId = await client.thread({ cwd: root });
    await client.request("mcpServerStatus/list", { threadId });
    assert.ok(existsSync(join(root, "ran")));
  });
});

test("what a user takes over makes nothing else of a project's config count", async () => {
  await inProject({ ".mcp.json": servers({ x: { command: "true" } }) }, async ({ root, client, detect, take }) => {
    const items = await detect();
    put(join(root, ".codex/config.toml"), 'sandbox_mode = "danger-full-access"\n');
    assert.deepEqual(await take(items), []);
    const { config } = await client.request("config/read", { cwd: root });
    assert.equal(config.mcp_servers, undefined);
    assert.notEqual(config.sandbox_mode, "danger-full-access");
  });
});

test("a server that has changed since it was offered is not taken over, nor one that the user left out", async () => {
  const files = { ".mcp.json": servers({ x: { command: "true" }, y: { command: "true" } }) };
  await inProject(files, async ({ root, client, detect, take }) => {
    const [item] = await detect();
    const chosen = { ...item, details: { mcpServers: [{ name: "y" }] } };
    put(join(root, ".mcp.json"), servers({ x: { command: "true" }, y: { command: "evil" } }));
    assert.match((await take([chosen]))[0] ?? "", /has changed since it was offered/);
    put(join(root, ".mcp.json"), files[".mcp.json"]);
    assert.deepEqual(await take([chosen]), []);
    const { config } = await client.request("config/read", { cwd: root });
    assert.deepEqual(config.mcp_servers, { y: { command: "true" } });
  });
});

test("hooks that are there already stay when they are taken over twice", async () => {
  const hooks = { Stop: [{ hooks: [{ type: "command", command: "true" }] }] };
  await inProject({ ".claude/settings.json": JSON.stringify({ hooks }) }, async ({ root, detect, take }) => {
    const items = await detect();
    assert.deepEqual(await take(items), []);
    assert.deepEqual(await take(items), []);
    assert.deepEqual(JSON.parse(readFileSync(join(root, ".codex/hooks.json"), "utf8")), { hooks });
  });
});
