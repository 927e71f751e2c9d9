import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { tempDir } from "@quire/testkit";
import { embedded } from "../support/embedded.ts";
import { Talk } from "../support/talk.ts";

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
  await using host = await embedded({ home, env: { PATH: process.env.PATH, HOME: user.path } });
  const talk = new Talk(await host.connect(), ["externalAgentConfig/import/completed"]);
  const { items } = await talk.call("externalAgentConfig/detect", { includeHome: true });
  assert.deepEqual(
    items.map((item: { itemType: string }) => item.itemType),
    ["MCP_SERVER_CONFIG"],
  );
  await talk.call("externalAgentConfig/import", { migrationItems: [...items, { ...items[0], itemType: "AGENTS_MD" }] });
  await talk.told("externalAgentConfig/import/completed");
  const config = readFileSync(join(home, "config.toml"), "utf8");
  assert.match(config, /# kept\n\[mcp_servers\.known\]\ncommand = "mine"/);
  assert.match(config, /\[mcp_servers\.fresh\]/);
  assert.equal(readFileSync(join(home, "AGENTS.md"), "utf8"), "Mine");
  assert.deepEqual((await talk.call("externalAgentConfig/detect", { includeHome: true })).items, []);
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
  await using host = await embedded({ env: { PATH: process.env.PATH, HOME: user.path } });
  const talk = new Talk(await host.connect(), ["externalAgentConfig/import/completed", "turn/completed"]);
  const { items } = await talk.call("externalAgentConfig/detect", { includeHome: true });
  assert.equal(items[0].details.sessions[0].title, "What is two and two?");
  await talk.call("externalAgentConfig/import", { migrationItems: items });
  const { itemTypeResults } = await talk.told("externalAgentConfig/import/completed");
  const threadId = itemTypeResults[0].successes[0].target;
  const { thread } = await talk.call("thread/resume", { threadId });
  const texts = thread.turns[0].items.map(
    (item: { text?: string; content?: { text: string }[] }) => item.text ?? item.content?.[0]?.text,
  );
  assert.deepEqual(texts, ["What is two and two?", "Four."]);
  await talk.call("turn/start", { threadId, input: [{ type: "text", text: "help", text_elements: [] }] });
  assert.equal((await talk.told("turn/completed")).turn.status, "completed");
});
