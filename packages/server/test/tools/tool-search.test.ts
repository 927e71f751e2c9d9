/** Tools that a model finds by searching, in the way that its endpoint has for it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DynamicToolSpec } from "@quire/protocol";
import { callOf, outputItem } from "../../src/record/call-items.ts";
import type { ToolCall } from "../../src/record/tool-call.ts";
import { FakeThread } from "./fake-context.ts";

const inputSchema = { type: "object", properties: { id: { type: "string" } } };
const lookup = {
  type: "function",
  name: "lookup",
  description: "Looks up tickets",
  inputSchema,
  deferLoading: true,
} as const;
const tickets: DynamicToolSpec = { type: "namespace", name: "tickets", description: "Of the tracker", tools: [lookup] };
const group = {
  spec: {
    type: "namespace",
    name: "agents",
    tools: [{ type: "function", name: "spawn", description: "Starts agents" }],
  },
  tools: [{ spec: undefined, name: "spawn", namespace: "agents", run: async () => "spawned" }],
  deferred: true,
};

const names = (thread: FakeThread) => thread.toolbox.specs(thread.settings).map(({ type, name }) => name ?? type);

async function search(thread: FakeThread, query: string): Promise<unknown[]> {
  const call = callOf({
    type: "tool_search_call",
    call_id: "call-1",
    execution: "client",
    arguments: { query },
  }) as ToolCall;
  const output = await thread.toolbox.find(call)?.run(call, thread.context());
  const item = outputItem(call, output ?? "");
  assert.ok(item.type === "tool_search_output");
  return item.tools.map((found) => (found as { name: string }).name);
}

test("a model that can search is offered the search and none of what it finds; another is offered agents at once", () => {
  const options = { dynamicTools: [tickets], groups: () => [group] };
  const known = new FakeThread("/tmp", { ...options, settings: { model: "gpt-5.5" } });
  assert.ok(names(known).includes("tool_search"));
  assert.ok(!names(known).includes("agents") && !names(known).includes("tickets"));
  const other = new FakeThread("/tmp", options);
  assert.ok(names(other).includes("agents") && !names(other).includes("tickets"));
});

test("a search finds by words, gives nothing for others, and what it found is not listed again", async () => {
  const thread = new FakeThread("/tmp", {
    dynamicTools: [tickets],
    groups: () => [group],
    settings: { model: "gpt-5.5" },
  });
  assert.deepEqual(await search(thread, "look up a ticket"), ["tickets"]);
  assert.deepEqual(await search(thread, "start an agent"), ["agents"]);
  assert.deepEqual(await search(thread, "zzz"), []);
  assert.ok(!names(thread).includes("tickets"));
});

test("without anything to find there is no search, and a model that searches nevertheless finds nothing", async () => {
  const thread = new FakeThread("/tmp", { settings: { model: "gpt-5.5" } });
  assert.ok(!names(thread).includes("tool_search"));
  assert.deepEqual(await search(thread, "anything"), []);
});

test("a search that the endpoint runs itself calls nothing here", () => {
  assert.equal(callOf({ type: "tool_search_call", call_id: "call-1", execution: "server", arguments: {} }), undefined);
});
