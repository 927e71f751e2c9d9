import assert from "node:assert/strict";
import { test } from "node:test";
import type { ResponseItem } from "@quire/protocol";
import type { ToolSpec } from "../../../src/model/model-provider.ts";
import { PlainTools, plainOutput } from "../../../src/model/plain/plain-tools.ts";

const parameters = { type: "object", properties: { path: { type: "string" } } };
const read: ToolSpec = { type: "function", name: "read", description: "Reads.", strict: false, parameters };
const files: ToolSpec = { type: "namespace", name: "mcp__files", description: "All files.", tools: [read] };
const patch: ToolSpec = {
  type: "custom",
  name: "apply_patch",
  description: "Edits.",
  format: { type: "grammar", syntax: "lark", definition: "start: TEXT" },
};
const search: ToolSpec = { type: "tool_search", execution: "client", description: "Finds.", parameters };
const webSearch: ToolSpec = { type: "web_search", external_web_access: false };

test("every tool becomes a function with a legal name, in the same order", () => {
  const { functions, hosted } = new PlainTools([read, files, patch, search, webSearch]);
  assert.deepEqual(
    functions.map(({ name }) => name),
    ["read", "mcp__files__read", "apply_patch", "tool_search"],
  );
  assert.deepEqual(functions[0], { name: "read", description: "Reads.", parameters, strict: false });
  assert.equal(functions[1]?.description, "Reads.\n\nThis and the tools that go with it: All files.");
  assert.deepEqual(functions[2]?.parameters.required, ["input"]);
  assert.match(JSON.stringify(functions[2]?.parameters), /start: TEXT/);
  assert.deepEqual(hosted, []);
});

test("hosted tools stay for a provider that has them", () => {
  assert.deepEqual(new PlainTools([read, webSearch], { hosted: new Set(["web_search"]) }).hosted, [webSearch]);
});

test("parameters are an object with properties, as strict providers want them", () => {
  const bare = (name: string, parameters?: unknown): ToolSpec => ({ type: "function", name, parameters });
  const { functions } = new PlainTools([bare("a"), bare("b", true), bare("c", { type: "object" })]);
  for (const { parameters } of functions) assert.deepEqual(parameters, { type: "object", properties: {} });
});

test("names that are too long, illegal or taken stay unique, legal and the same", () => {
  const named = (name: string, namespace: string): ToolSpec => ({
    type: "namespace",
    name: namespace,
    tools: [{ ...read, name }],
  });
  const specs = [
    { ...read, name: "a__b" },
    named("b", "a"),
    named("ä.b", "9"),
    named("x".repeat(64), "mcp__long"),
    named(`${"x".repeat(63)}y`, "mcp__long2"),
    named("read", "mcp__files"),
    named("read", "mcp__files"),
  ];
  const names = new PlainTools(specs).functions.map(({ name }) => name);
  assert.equal(names.length, 6);
  assert.equal(new Set(names).size, 6);
  for (const name of names) assert.match(name, /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/);
  assert.deepEqual(
    new PlainTools(specs).functions.map(({ name }) => name),
    names,
  );
  const tools = new PlainTools(specs);
  const real = names.map((name) => tools.itemOf({ callId: "1", name, arguments: "{}" })) as { name: string }[];
  assert.deepEqual(
    real.map(({ name }) => name),
    ["a__b", "b", "ä.b", "x".repeat(64), `${"x".repeat(63)}y`, "read"],
  );
});

/** Calls of the history, which every kind of tool has made. */
const calls: ResponseItem[] = [
  { type: "function_call", id: "fc_1", call_id: "1", name: "read", arguments: '{"path":"a"}' },
  { type: "function_call", call_id: "2", name: "read", namespace: "mcp__files", arguments: "{}" },
  { type: "custom_tool_call", call_id: "3", name: "apply_patch", input: '*** Begin Patch\n+"ü"\n*** End Patch' },
  { type: "tool_search_call", call_id: "4", execution: "client", arguments: { query: "x" } },
  { type: "function_call", call_id: "5", name: "gone", namespace: "mcp__gone", arguments: "{}" },
];

test("calls come back as they were made, with their namespaces and kinds", () => {
  const tools = new PlainTools([read, files, patch, search]);
  const plain = calls.map((item) => tools.callOf(item) ?? assert.fail(item.type));
  assert.deepEqual(
    plain.map(({ name }) => name),
    ["read", "mcp__files__read", "apply_patch", "tool_search", "mcp__gone__gone"],
  );
  // The last tool is no longer offered, so nobody can call it.
  for (const [index, call] of plain.slice(0, -1).entries()) assert.deepEqual(tools.itemOf(call), calls[index]);
});

test("items that call nothing are none, as are searches that the endpoint answers", () => {
  const tools = new PlainTools([]);
  assert.equal(tools.callOf({ type: "message", role: "user", content: [] }), undefined);
  assert.equal(tools.callOf({ type: "tool_search_call", execution: "server", arguments: {} }), undefined);
});

test("tools that a search has found are offered after it, once", () => {
  const tools = [{ ...read, name: "write", defer_loading: true }];
  const found: ResponseItem = {
    type: "tool_search_output",
    call_id: "4",
    status: "completed",
    execution: "client",
    tools: [{ type: "namespace", name: "mcp__files", description: "All files.", tools }],
  };
  const { functions } = new PlainTools([search], { input: [found, found] });
  assert.deepEqual(
    functions.map(({ name }) => name),
    ["tool_search", "mcp__files__write"],
  );
  assert.equal("defer_loading" in (functions[1] as object), false);
  assert.match(JSON.stringify(plainOutput(found)), /now among the tools: write/);
});

test("a model that writes a name in another way is understood if only one tool can be meant", () => {
  const tools = new PlainTools([read, patch, { ...files, tools: [read, { ...read, name: "list" }] }]);
  const real = (name: string) => tools.itemOf({ callId: "1", name, arguments: "{}" });
  const list = { type: "function_call", call_id: "1", name: "list", namespace: "mcp__files", arguments: "{}" };
  for (const name of ["list", "mcp__files__list", "mcp__files.list", "functions.list", "functions.mcp__files.list"]) {
    assert.deepEqual(real(name), list, name);
  }
  assert.deepEqual(real("read"), { type: "function_call", call_id: "1", name: "read", arguments: "{}" });
  assert.deepEqual(real("nothing"), { type: "function_call", call_id: "1", name: "nothing", arguments: "{}" });
});

test("a patch streams as text while its arguments do, however they are cut", () => {
  const input = '*** Begin Patch\n+a\\b "ü" 😀\t\n*** End Patch';
  const args = JSON.stringify({ input }).replace("ü", "\\u00fc").replace("😀", "\\ud83d\\ude00");
  for (let size = 1; size <= args.length; size++) {
    const call = new PlainTools([patch]).open({ callId: "1", name: "apply_patch" });
    assert.deepEqual(call.item, { type: "custom_tool_call", call_id: "1", name: "apply_patch", input: "" });
    let text = "";
    for (let at = 0; at < args.length; at += size) text += call.delta(args.slice(at, at + size));
    assert.equal(text, input);
    assert.deepEqual(call.end(args), { ...call.item, input });
  }
});

test("a patch is understood without JSON, with another parameter, and with flaws that leave no doubt", () => {
  const input = "*** Begin Patch\n+a\n*** End Patch";
  const tools = new PlainTools([patch]);
  const inputOf = (args: string) => {
    const item = tools.itemOf({ callId: "1", name: "apply_patch", arguments: args });
    return item.type === "custom_tool_call" ? item.input : assert.fail(item.type);
  };
  assert.equal(inputOf(input), input);
  assert.equal(inputOf(JSON.stringify(input)), input);
  assert.equal(inputOf(JSON.stringify({ patch: input })), input);
  assert.equal(inputOf(`{"input": "${input}"}`), input, "raw line ends");
  assert.equal(inputOf(JSON.stringify({ input }).slice(0, -1)), input, "no brace");
  for (const args of [`{"input":"*** Begin`, `{"input":"a"b"}`, "{}", '{"a":"b","c":"d"}'])
    assert.equal(inputOf(args), args);
});

test("arguments of a function stream nothing to show", () => {
  const call = new PlainTools([read]).open({ id: "x", callId: "1", name: "read" });
  assert.equal(call.delta('{"path":'), "");
  assert.deepEqual(call.end("{}"), { type: "function_call", id: "x", call_id: "1", name: "read", arguments: "{}" });
});
