import assert from "node:assert/strict";
import { test } from "node:test";
import { CodexClient, jsonSchema, SchemaError, type Tool, tool } from "@quire/client";
import { toolSpec, toolSpecs } from "@quire/client/tools";
import { scriptedServer } from "@quire/testkit";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const assertType = <_T extends true>(): void => {};
const common = { name: "weather", description: "The weather" };

test("the input of a tool has the type that its schema says", async () => {
  const zod = tool({
    ...common,
    input: z.object({ city: z.string(), days: z.number().default(1) }),
    run: (input) => {
      assertType<Equal<typeof input, { city: string; days: number }>>();
      return input.city;
    },
  });
  assertType<Equal<typeof zod, Tool<{ city: string; days: number }>>>();
  tool({
    ...common,
    input: v.object({ city: v.string(), days: v.optional(v.number()) }),
    async run(input, { signal }) {
      assertType<Equal<typeof input, { city: string; days?: number | undefined }>>();
      return signal.aborted;
    },
  });
  tool({
    ...common,
    input: type({ city: "string", "days?": "number" }),
    run: (input) => {
      assertType<Equal<typeof input, { city: string; days?: number }>>();
    },
  });
  tool({
    ...common,
    input: jsonSchema<{ city: string }>({ type: "object" }),
    run: (input) => {
      assertType<Equal<typeof input, { city: string }>>();
    },
  });
  tool({
    ...common,
    input: { type: "object" },
    run: (input) => {
      assertType<Equal<typeof input, unknown>>();
    },
  });
  const mixed: readonly Tool[] = [zod, tool({ ...common, input: { type: "object" }, run: () => 1 })];
  assert.equal(mixed.length, 2);
});

const input = { type: "object", properties: {} };
const named = (name: string, more: Partial<Parameters<typeof tool>[0]> = {}): Tool =>
  tool({ name, description: `does ${name}`, input, run: () => "", ...more });

test("names that Codex refuses are refused where they are written", () => {
  for (const name of ["a", "A-1_b", "x".repeat(128), "exec_command", "mcpx"]) named(name);
  for (const name of ["", "a.b", "a b", " a", "é", "x".repeat(129)]) {
    assert.throws(() => named(name), /must have 1 to 128 letters, digits, "_" or "-"/, name);
  }
  for (const name of ["mcp", "mcp__files"]) assert.throws(() => named(name), /is reserved/);
  assert.throws(() => named("a", { namespace: "n".repeat(65) }), /must have 1 to 64 letters/);
  assert.throws(() => named("a", { namespace: "functions" }), /namespace "functions" is reserved/);
  assert.throws(() => named("a", { namespace: { name: "n", description: "x".repeat(1025) } }), /longer than 1024/);
  assert.throws(() => named("a", { deferLoading: true }), /needs a namespace/);
});

test("a tool travels with the JSON Schema of its input, which must be an object", async () => {
  assert.deepEqual(await toolSpec(tool({ ...common, input: z.object({ city: z.string() }), run: () => "" })), {
    type: "function",
    ...common,
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  });
  await assert.rejects(toolSpec(tool({ ...common, input: z.string(), run: () => "" })), (error) => {
    assert.ok(SchemaError.is(error));
    assert.match(error.message, /input of tool "weather" must be an object/);
    return true;
  });
});

test("tools are grouped for a server of today and listed flat for an older or unknown one", async () => {
  const tools = [
    named("plain"),
    named("find", { namespace: { name: "files", description: "Files" }, deferLoading: true }),
    named("read", { namespace: "files" }),
  ];
  const spec = (name: string, more: object = {}) => ({
    name,
    description: `does ${name}`,
    inputSchema: input,
    ...more,
  });
  assert.deepEqual(await toolSpecs(tools, "0.166.0"), [
    { type: "function", ...spec("plain") },
    {
      type: "namespace",
      name: "files",
      description: "Files",
      tools: [
        { type: "function", ...spec("find", { deferLoading: true }) },
        { type: "function", ...spec("read") },
      ],
    },
  ]);
  const flat = [
    spec("plain"),
    spec("find", { deferLoading: true, namespace: "files" }),
    spec("read", { namespace: "files" }),
  ];
  assert.deepEqual(await toolSpecs(tools, "0.118.0"), flat);
  assert.deepEqual(await toolSpecs(tools), flat);
});

test("two tools of one name are refused before the server does it", async () => {
  await assert.rejects(toolSpecs([named("a"), named("a")], "0.166.0"), /Two tools are called "a"/);
  const apart = [named("a"), named("a", { namespace: "n" })];
  assert.equal((await toolSpecs(apart, "0.166.0")).length, 2);
  await assert.rejects(toolSpecs(apart, "0.98.0"), /Two tools are called "a"/);
});

test("a definition that lacks something or names an option as another library does is refused, with the right name", () => {
  const refusal = (definition: unknown) => {
    try {
      tool(definition as never);
    } catch (error) {
      assert.ok(error instanceof TypeError);
      return error.message;
    }
    return "accepted";
  };
  const run = () => "";
  assert.equal(refusal(undefined), "tool() takes { name, description, input, run }; the name is a string");
  assert.equal(
    refusal({ description: "d", run }),
    "tool() takes { name, description, input, run }; the name is a string",
  );
  assert.equal(refusal({ name: "x", run }), 'The tool "x" needs a description: the model reads it');
  assert.equal(refusal({ name: "x", description: "d" }), 'The tool "x" needs run, a function that does the work');
  for (const [option, meant] of [
    ["parameters", "use input"],
    ["inputSchema", "use input"],
    ["execute", "use run"],
    ["handler", "use run"],
    ["timeout", "it has name, description, input, run, namespace, deferLoading"],
    ["constructor", "it has name, description, input, run, namespace, deferLoading"],
  ])
    assert.equal(
      refusal({ ...common, run, [option ?? ""]: {} }),
      `The tool "weather" has no option ${option}: ${meant}`,
    );
  for (const option of ["output", "outputSchema", "examples"])
    assert.match(
      refusal({ ...common, run, [option]: {} }),
      /only tools of prompts have (output|examples), made with tool\(\) of @quire\/agent/,
    );
  assert.match(refusal({ ...common, run, input: "city" }), /needs a schema as its input: zod/);
  assert.equal(refusal({ ...common, run, input: undefined }), "accepted");
});

test("what was not made by tool() is refused when the thread is started, and so is a tool of a prompt", async () => {
  await using server = scriptedServer();
  await using client = await CodexClient.connect(server.transport);
  const start = (tools: unknown) => client.thread({ tools: tools as readonly Tool[] });
  await assert.rejects(start([{ name: "x", description: "d", run: () => 1 }]), /"x" is no tool: make it with tool\(/);
  await assert.rejects(start([undefined]), /"undefined" is no tool/);
  await assert.rejects(start({ x: named("x") }), /tools must be an array/);
  const ofPrompt = { ...named("x"), acceptsOverrides: true };
  await assert.rejects(start([ofPrompt]), /made for prompts: make it with tool\(\) of @quire\/client/);
  assert.ok(!server.received.some(({ method }) => method === "thread/start"));
});
