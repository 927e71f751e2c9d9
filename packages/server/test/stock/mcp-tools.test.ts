/** MCP servers of others that start `codex` for each call, on our command. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, test } from "node:test";
import { type AnyMethods, Connection } from "@quire/jsonrpc";
import { spawnTransport } from "@quire/jsonrpc/stdio";
import { eventually, reply } from "@quire/testkit";
import { clientFile, skipWithoutClient } from "./support/client.ts";
import { patient, type Stage, stage, stepMs } from "./support/stage.ts";

interface Result {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
}

async function open({ env, cwd }: Stage, name: string) {
  // Our connections leave out what MCP demands of every message; these servers want it.
  const inner = spawnTransport({ command: "node", args: [clientFile(name) ?? ""], env: { ...env }, cwd });
  const send = inner.send.bind(inner);
  inner.send = (text) => send(`{"jsonrpc":"2.0",${text.slice(1)}`);
  const connection = new Connection<AnyMethods, AnyMethods>(inner);
  const clientInfo = { name: "test", version: "1" };
  await connection.request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  connection.notify("notifications/initialized");
  const call = async (tool: string, args: object) => {
    const { content, isError } = (await connection.request("tools/call", { name: tool, arguments: args })) as Result;
    const text = content.map((part) => part.text).join("");
    assert.ok(!isError, text);
    return text;
  };
  return { call, [Symbol.asyncDispose]: () => connection.close() };
}

const git = ({ cwd }: Stage) => execFileSync("git", ["init", "-q"], { cwd });

describe("codex-mcp-server", { skip: skipWithoutClient("codex-mcp-server") }, () => {
  test("asks, continues a session, searches and reviews", patient, async () => {
    await using set = await stage({ approvalPolicy: "never" });
    git(set);
    await using client = await open(set, "codex-mcp-server");
    set.mock.script(
      reply().text("The word is plum."),
      reply().text("Plum."),
      reply().text("Found."),
      reply().text("Good."),
    );
    assert.match(await client.call("codex", { prompt: "a word", sessionId: "s" }), /The word is plum\./);
    assert.match(await client.call("codex", { prompt: "which word", sessionId: "s" }), /Plum\./);
    assert.ok(set.last.inputText("assistant").includes("The word is plum."), "the session goes on");
    assert.match(await client.call("websearch", { query: "plums" }), /Found\./);
    assert.match(await client.call("review", { uncommitted: true }), /Good\./);
    assert.match(await client.call("help", {}), /exec/);
  });
});

describe("codex-mcp-tool", { skip: skipWithoutClient("@trishchuk/codex-mcp-tool") }, () => {
  test("asks, runs a batch, and finds its Codex healthy", patient, async () => {
    await using set = await stage({ approvalPolicy: "never" });
    git(set);
    await using client = await open(set, "@trishchuk/codex-mcp-tool");
    set.mock.script(reply().text("An answer."), reply().text("Batched."));
    assert.match(await client.call("ask-codex", { prompt: "hello" }), /An answer\./);
    assert.match(await client.call("batch-codex", { tasks: [{ task: "one" }] }), /Successful: 1[\s\S]*Batched\./);
    // It gives `codex --version` and `codex --help` five seconds each.
    const health = async () =>
      assert.match(await client.call("health", {}), /✅ HEALTHY[\s\S]*Version \| \d+\.\d+\.\d+/);
    await eventually(() => health().then(() => true), { timeoutMs: stepMs });
  });
});
