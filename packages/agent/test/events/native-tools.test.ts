import assert from "node:assert/strict";
import { test } from "node:test";
import { nativeToolInvoked, type ToolInvokedEvent } from "@quire/agent/events";
import type { ThreadItem } from "@quire/protocol";

const facts = { promptName: "n:k", sessionId: "s" };
const eventOf = (item: object): ToolInvokedEvent | undefined =>
  nativeToolInvoked({ id: "i", ...item } as ThreadItem, facts);
const gist = (item: object) => {
  const event = eventOf(item);
  return event && [event.name, event.params, event.result.success, event.renderedOutput];
};

const command = {
  type: "commandExecution",
  command: "ls",
  cwd: "/w",
  commandActions: [],
  status: "completed",
  exitCode: 0,
};

test("4.20: commands, file changes, MCP calls and searches have events with the item's id", () => {
  const event = eventOf({ ...command, aggregatedOutput: "a\nb" });
  assert.deepEqual(
    [event?.callId, event?.promptName, event?.sessionId, event?.adapter, event?.result.message],
    ["i", "n:k", "s", "codex_app_server", "a\nb"],
  );
  assert.deepEqual(gist({ ...command, aggregatedOutput: "a\nb" }), [
    "codex:command",
    { command: "ls", cwd: "/w" },
    true,
    "a\nb",
  ]);
  const changes = [
    { path: "a.ts", kind: { type: "add" }, diff: "+" },
    { path: "b.ts", kind: { type: "update", move_path: null }, diff: "" },
  ];
  assert.deepEqual(gist({ type: "fileChange", changes, status: "completed" }), [
    "codex:file_change",
    {
      changes: [
        { path: "a.ts", kind: "add" },
        { path: "b.ts", kind: "update" },
      ],
    },
    true,
    "add a.ts\nupdate b.ts",
  ]);
  const content = [{ type: "text", text: "one" }, { type: "image", data: "x" }, null, { type: "text", text: "two" }];
  const mcp = { type: "mcpToolCall", server: "docs", tool: "find", arguments: { q: 1 }, status: "completed" };
  assert.deepEqual(gist({ ...mcp, result: { content } }), [
    "codex:mcp:docs:find",
    { server: "docs", tool: "find", arguments: { q: 1 } },
    true,
    "one\ntwo",
  ]);
  assert.deepEqual(gist({ ...mcp, result: null }), [
    "codex:mcp:docs:find",
    { server: "docs", tool: "find", arguments: { q: 1 } },
    true,
    "",
  ]);
});

test("4.20: output in events is cut to 1000 characters", () => {
  assert.equal(eventOf({ ...command, aggregatedOutput: "x".repeat(2000) })?.renderedOutput.length, 1000);
});

test("4.21: a command succeeds by its exit code, file changes and MCP calls by their status", () => {
  const success = (item: object) => eventOf(item)?.result.success;
  assert.equal(success({ ...command, exitCode: 1, status: "failed" }), false);
  assert.equal(success({ ...command, exitCode: 1, status: "completed" }), false);
  assert.equal(success({ ...command, exitCode: null, status: "declined" }), false);
  assert.equal(success({ ...command, exitCode: undefined, status: "completed" }), true);
  for (const [status, expected] of [
    ["completed", true],
    ["failed", false],
    ["declined", false],
  ] as const)
    assert.equal(success({ type: "fileChange", changes: [], status }), expected, status);
  const mcp = { type: "mcpToolCall", server: "s", tool: "t", arguments: {}, result: null };
  assert.equal(success({ ...mcp, status: "failed", error: { message: "no" } }), false);
  assert.equal(eventOf({ ...mcp, status: "failed", error: { message: "no" } })?.renderedOutput, "no");
});

test("4.21: a web search succeeds, since it has no status, and its event has the query", () => {
  assert.deepEqual(gist({ type: "webSearch", query: "bun" }), ["codex:web_search", { query: "bun" }, true, ""]);
});

test("4.23: a call of the prompt's own tool has no second event, nor has what is no tool", () => {
  const others = [
    { type: "dynamicToolCall", tool: "t", arguments: {}, status: "completed" },
    { type: "agentMessage", text: "hi" },
    { type: "reasoning" },
    { type: "contextCompaction" },
    { type: "somethingNew" },
  ];
  for (const item of others) assert.equal(eventOf(item), undefined, item.type);
});
