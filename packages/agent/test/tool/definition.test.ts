import assert from "node:assert/strict";
import { test } from "node:test";
import { definePrompt, markdown, PromptValidationError, ToolResult, tool } from "@quire/agent";
import { tool as clientTool, jsonSchema } from "@quire/client";
import * as v from "valibot";
import { z } from "zod";
import { bridgeOf } from "../support/bridge.ts";

const base = { description: "Does it", run: null } as const;
const params = z.object({ id: z.string() });

test("2.1: a tool has a name and a description within bounds, and what else it was given", () => {
  const made = tool({
    name: "look_up-2",
    description: "  Looks up  ",
    input: params,
    run: null,
    acceptsOverrides: false,
  });
  assert.equal(made.description, "Looks up");
  assert.equal(made.input, params);
  assert.deepEqual([made.examples, made.acceptsOverrides, made.run], [[], false, undefined]);
  assert.equal(tool({ ...base, name: "x" }).acceptsOverrides, true);
  for (const name of ["", " a", "a ", "A", "a.b", "ä", "a".repeat(65)])
    assert.throws(() => tool({ ...base, name }), PromptValidationError, name);
  for (const description of ["", "   ", "x".repeat(201), "ä", "→"])
    assert.throws(() => tool({ ...base, name: "a", description }), PromptValidationError, description);
  tool({ ...base, name: "a".repeat(64), description: "x".repeat(200) });
});

test("2.2: names that stand for MCP servers are refused", () => {
  for (const name of ["mcp", "mcp__x"]) assert.throws(() => tool({ ...base, name }), /reserved/);
  tool({ ...base, name: "mcp_x" });
});

test("2.3: params are an object or none; results an object, an array or none", async () => {
  assert.throws(() => tool({ ...base, name: "a", input: z.string() as never }), /must be an object/);
  assert.throws(() => tool({ ...base, name: "a", input: z.array(z.string()) as never }), /must be an object/);
  assert.throws(() => tool({ ...base, name: "a", input: v.string() as never }), /must be an object/);
  assert.throws(() => tool({ ...base, name: "a", output: z.string() as never }), /an object or an array/);
  tool({ ...base, name: "a", output: z.array(params) });
  const none = tool({ name: "none", description: "Takes nothing", run: () => ToolResult.ok() });
  await using bridge = await bridgeOf({ tools: [none] });
  assert.deepEqual(await bridge.bridge.specs(), [
    {
      name: "none",
      description: "Takes nothing",
      inputSchema: { type: "object", properties: {}, additionalProperties: false },
    },
  ]);
  assert.equal((await bridge.call("none")).success, true);
  assert.equal((await bridge.call("none", { a: 1 })).success, false);
});

test("2.4: a tool without a handler is written about, and cannot be called", async () => {
  const silent = tool({ ...base, name: "silent" });
  await using bridge = await bridgeOf({ tools: [silent] });
  assert.deepEqual(bridge.rendered.tools, [silent]);
  assert.deepEqual(await bridge.bridge.specs(), []);
  const { success, text } = await bridge.call("silent");
  assert.equal(success, false);
  assert.match(text, /Unknown tool "silent"/);
});

test("2.10: examples are checked against the tool's schemas when it is made, or when it is first used", async () => {
  const make = (input: unknown, output: unknown, description = "One") =>
    tool({
      ...base,
      name: "a",
      input: params,
      output: z.object({ title: z.string() }),
      examples: [{ description, input: input as never, output: output as never }],
    });
  make({ id: "x" }, { title: "t" });
  assert.throws(() => make({ id: 5 }, { title: "t" }), /input of example "One" of tool "a" does not fit: id: /);
  assert.throws(() => make({ id: "x" }, {}), /output of example "One" of tool "a" does not fit: title: /);
  assert.throws(() => make({ id: "x" }, { title: "t" }, "ä"), /ASCII/);
  assert.throws(() => make({ id: "x" }, { title: "t" }, "x".repeat(201)), /1 to 200/);
  const late = tool({
    name: "late",
    description: "Late",
    input: jsonSchema<{ id: string }>({ type: "object", properties: { id: { type: "string" } }, required: ["id"] }),
    examples: [{ description: "Bad", input: {} as never, output: null }],
    run: () => ToolResult.ok(),
  });
  await assert.rejects(
    bridgeOf({ tools: [late] }),
    /input of example "Bad" of tool "late" does not fit: id: is missing/,
  );
});

test("2.10: examples are shown in their section with fenced input and output, which cannot break out of the fence", async () => {
  const shown = tool({
    name: "show",
    description: "Shows",
    input: params,
    output: z.object({ title: z.string() }),
    examples: [{ description: "Odd", input: { id: "```" }, output: { title: "T" } }],
    run: () => ToolResult.ok({ title: "" }),
  });
  await using bridge = await bridgeOf({ tools: [shown] });
  assert.ok(
    bridge.rendered.text.endsWith(
      'Example of `show`: Odd\n\nInput:\n````json\n{"id":"```"}\n````\n\nOutput:\n```\n{"title":"T"}\n```',
    ),
    bridge.rendered.text,
  );
});

test("2.11: the advertised schema is closed, as the arguments are checked", async () => {
  const deep = z.object({
    one: z.object({ a: z.string() }),
    many: z.array(z.object({ b: z.number() })),
    either: z.union([z.object({ c: z.string() }), z.object({ d: z.string() })]),
    open: z.record(z.string(), z.number()).optional(),
  });
  const seen: unknown[] = [];
  const deepTool = tool({
    name: "deep",
    description: "Deep",
    input: deep,
    run: (given) => {
      seen.push(given);
      return ToolResult.ok();
    },
  });
  await using bridge = await bridgeOf({ tools: [deepTool] });
  const [spec] = await bridge.bridge.specs();
  const text = JSON.stringify(spec?.inputSchema);
  assert.equal(text.split('"additionalProperties":false').length - 1, 5, text);
  const good = { one: { a: "x" }, many: [{ b: 1 }], either: { d: "y" }, open: { any: 1 } };
  assert.equal((await bridge.call("deep", good)).success, true);
  assert.deepEqual(seen, [good]);
  for (const bad of [
    { ...good, more: 1 },
    { ...good, one: { a: "x", more: 1 } },
    { ...good, many: [{ b: 1, more: 1 }] },
    { ...good, either: { d: "y", more: 1 } },
  ]) {
    const { success, text } = await bridge.call("deep", bad);
    assert.equal(success, false);
    assert.match(text, /more|alternatives/);
  }
  assert.equal(seen.length, 1);
});

test("2.11: nothing is converted that the model wrote with another type", async () => {
  for (const n of [z.number(), z.coerce.number()]) {
    const counted = tool({
      name: "count",
      description: "Counts",
      input: z.object({ n }),
      run: () => ToolResult.ok(),
    });
    await using bridge = await bridgeOf({ tools: [counted] });
    assert.equal((await bridge.call("count", { n: 5 })).success, true);
    const { success, text } = await bridge.call("count", { n: "5" });
    assert.equal(success, false);
    assert.match(text, /^Tool validation error: invalid arguments for "count":\n- n: expected number, got string$/);
  }
});

test("2.12: descriptions of fields reach the model", async () => {
  const described = tool({
    name: "d",
    description: "D",
    input: z.object({ id: z.string().describe("Such as T-12"), in: z.object({ x: z.number().describe("deep") }) }),
    run: () => ToolResult.ok(),
  });
  await using bridge = await bridgeOf({ tools: [described] });
  const [spec] = await bridge.bridge.specs();
  const text = JSON.stringify(spec?.inputSchema);
  assert.match(text, /"description":"Such as T-12"/);
  assert.match(text, /"description":"deep"/);
});

test("2.16: tools of the client are used as they are, and a mistake in a definition is told where it is made", async () => {
  const greet = clientTool({
    name: "greet",
    description: "Greets",
    input: z.object({ who: z.string() }),
    run: ({ who }) => `Hi ${who}`,
  });
  const prompt = definePrompt({
    ns: "t",
    key: "c",
    sections: [markdown({ key: "a", title: "A", template: "x", tools: [greet] })],
    tools: [clientTool({ name: "other", description: "Other", run: () => 1 })],
  });
  const { tools } = await prompt.bind().render();
  assert.deepEqual(tools.map(({ name }) => name).sort(), ["greet", "other"]);
  const wrong = (definition: object) => () => tool(definition as never);
  assert.throws(wrong({ name: "x", description: "d", execute: () => 1 }), /has no option execute: use run/);
  assert.throws(wrong({ name: "x", description: "d", params: {}, run: null }), /has no option params: use input/);
  assert.throws(
    wrong({ name: "x", description: "d", outputSchema: {}, run: null }),
    /has no option outputSchema: use output/,
  );
  assert.throws(wrong({ name: "x", run: null }), PromptValidationError);
  const bare = { name: "x", run: () => 1 } as never;
  assert.throws(() => markdown({ key: "a", title: "A", template: "x", tools: [bare] }), /"x" needs a description/);
});
