import assert from "node:assert/strict";
import { test } from "node:test";
import { definePrompt, markdown, PromptEvaluationError, StructuredOutputError } from "@quire/agent";
import { structuredOutput } from "@quire/agent/prompts";
import { SchemaError } from "@quire/client";
import { z } from "zod";
import { errorOf, paramsOf, stage } from "../support/stage.ts";

const Summary = z.object({ title: z.string(), files: z.array(z.string()), lineCount: z.number().int() });
const summary = { title: "T", files: ["a"], lineCount: 3 };
const sections = [markdown({ key: "task", title: "Task", template: "Summarize." })];

async function parsed(schema: Parameters<typeof structuredOutput>[0], text: string, allowExtraKeys = false) {
  return (await structuredOutput(schema, { allowExtraKeys })).parse(text);
}

test("6.1, 11.18: the schema goes with the turn, and the answer comes back typed", async () => {
  const prompt = definePrompt({ ns: "t", key: "s", sections, output: Summary });
  const scene = stage((server) => server.turn({ text: JSON.stringify(summary) }));
  const { output, text } = await scene.agent.evaluate(prompt.bind());
  const title: string = output.title;
  assert.deepEqual([title, output, text], ["T", summary, JSON.stringify(summary)]);
  const { outputSchema } = await paramsOf(scene.server, "turn/start");
  assert.deepEqual(outputSchema, (await structuredOutput(Summary)).outputSchema);
  assert.ok(!("dynamicTools" in (await paramsOf(scene.server, "thread/start"))), "no tool is involved");
});

test("6.1: a prompt without output sends no schema", async () => {
  const scene = stage();
  await scene.agent.evaluate(definePrompt({ ns: "t", key: "n", sections }).bind());
  assert.ok(!("outputSchema" in (await paramsOf(scene.server, "turn/start"))));
});

test("6.2, 6.3: types, bounds and descriptions reach the model", async () => {
  const schema = z.object({
    age: z.number().int().min(0).max(150).describe("In years"),
    kind: z.enum(["a", "b"]),
    when: z.iso.datetime(),
    id: z.uuid(),
    either: z.union([z.string(), z.object({ x: z.number() })]),
    nested: z.object({ deep: z.boolean() }),
  });
  const { properties } = (await structuredOutput(schema)).outputSchema as {
    properties: Record<string, Record<string, unknown>>;
  };
  assert.deepEqual(properties.age, { type: "integer", minimum: 0, maximum: 150, description: "In years" });
  assert.deepEqual(properties.kind?.enum, ["a", "b"]);
  assert.equal(properties.when?.format, "date-time");
  assert.equal(properties.id?.format, "uuid");
  assert.ok(Array.isArray(properties.either?.anyOf));
  assert.deepEqual(properties.nested?.required, ["deep"]);
});

test("6.4, 6.5: every object is closed and all of it is required, and the schema that was given stays as it was", async () => {
  const given = {
    type: "object",
    title: "Given",
    properties: {
      list: { type: "array", items: { type: "object", properties: { a: { type: "string" } } } },
      any: { anyOf: [{ type: "object", properties: { b: { type: "number" } } }, { type: "null" }] },
      one: { $ref: "#/$defs/D" },
      none: { type: "object", properties: {} },
    },
    $defs: { D: { type: "object", properties: { c: { type: "boolean" } } } },
  };
  const before = structuredClone(given);
  const { outputSchema } = await structuredOutput(given);
  assert.deepEqual(given, before);
  const objects: Record<string, unknown>[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if (!Array.isArray(node) && "properties" in node) objects.push(node as Record<string, unknown>);
    for (const each of Object.values(node)) visit(each);
  };
  visit(outputSchema);
  assert.equal(objects.length, 5);
  for (const object of objects) {
    assert.equal(object.additionalProperties, false);
    assert.deepEqual(object.required, Object.keys(object.properties as object));
  }
  assert.equal(outputSchema.title, "Given");
});

test("6.6: what strict mode cannot express is refused before anything is started", async () => {
  const unsupported: z.ZodType[] = [
    z.object({ map: z.record(z.string(), z.number()) }),
    z.object({ pair: z.tuple([z.string(), z.number()]) }),
  ];
  for (const schema of unsupported) {
    await assert.rejects(structuredOutput(schema), SchemaError);
    const scene = stage();
    const error = await errorOf(
      scene.agent.evaluate(definePrompt({ ns: "t", key: "m", sections, output: schema }).bind()),
    );
    assert.ok(error instanceof PromptEvaluationError && error.phase === "request");
    assert.equal(scene.servers.length, 0);
  }
});

test("6.7: what is optional or has a default may be null for the model, and is filled in again", async () => {
  const schema = z.object({
    a: z.string(),
    b: z.string().optional(),
    c: z.number().default(7),
    d: z.string().nullable(),
  });
  assert.deepEqual(await parsed(schema, '{"a":"x","b":null,"c":null,"d":null}'), {
    ok: true,
    value: { a: "x", c: 7, d: null },
  });
  const { properties } = (await structuredOutput(schema)).outputSchema as {
    properties: Record<string, { type: unknown }>;
  };
  assert.deepEqual(properties.c?.type, ["number", "null"]);
  assert.equal(properties.a?.type, "string");
});

test("6.8: an array is asked for within an object, and read with and without it", async () => {
  const schema = z.array(z.object({ n: z.number() }));
  const { outputSchema } = await structuredOutput(schema);
  assert.deepEqual(Object.keys(outputSchema.properties as object), ["items"]);
  assert.equal(outputSchema.additionalProperties, false);
  const value = [{ n: 1 }, { n: 2 }];
  assert.deepEqual(await parsed(schema, JSON.stringify({ items: value })), { ok: true, value });
  assert.deepEqual(await parsed(schema, JSON.stringify(value)), { ok: true, value });
  for (const text of ['{"other":[]}', '{"items":{}}', "5"]) assert.equal((await parsed(schema, text)).ok, false, text);
});

test("6.8: a recursive array keeps its references", async () => {
  interface Tree {
    name: string;
    children: Tree[];
  }
  const Node: z.ZodType<Tree> = z.object({ name: z.string(), children: z.lazy(() => z.array(Node)) });
  const value = [{ name: "a", children: [{ name: "b", children: [] }] }];
  assert.deepEqual(await parsed(z.array(Node), JSON.stringify({ items: value })), { ok: true, value });
});

test("6.10: JSON is found in a fence, as the whole text, or within prose", async () => {
  const schema = z.object({ n: z.number() });
  const ok = { ok: true, value: { n: 1 } };
  for (const text of [
    '{"n":1}',
    '  {"n":1}\n',
    'Here it is:\n```json\n{"n":1}\n```\nDone. {"n":2}',
    '```JSON\n{"n":1}\n```',
    'The answer is {"n":1}, I think.',
    'Not {this} nor [that, but {"n":1}',
    '```\n{"n":1}\n```',
  ])
    assert.deepEqual(await parsed(schema, text), ok, text);
  const inString = z.object({ text: z.string() });
  const tricky = { text: '```json\n{}\n``` and } " { [' };
  assert.deepEqual(await parsed(inString, JSON.stringify(tricky)), { ok: true, value: tricky });
  assert.deepEqual(await parsed(inString, `So: ${JSON.stringify(tricky)}!`), { ok: true, value: tricky });
  for (const text of ['```json\n{"n":\n```\n{"n":1}', "no JSON", "", "{".repeat(10_000)]) {
    assert.equal((await parsed(schema, text)).ok, false, text.slice(0, 40));
  }
});

test("6.11: keys that nobody asked for are an error, unless they are allowed", async () => {
  const schema = z.object({ a: z.object({ b: z.string() }), list: z.array(z.object({ c: z.number() })) });
  const text = JSON.stringify({ a: { b: "x", extra: 1 }, list: [{ c: 1 }, { c: 2, more: 3 }] });
  assert.deepEqual(await parsed(schema, text), {
    ok: false,
    issues: [
      { path: "a.extra", message: "is not a known property" },
      { path: "list[1].more", message: "is not a known property" },
    ],
  });
  assert.deepEqual(await parsed(schema, text, true), {
    ok: true,
    value: { a: { b: "x" }, list: [{ c: 1 }, { c: 2 }] },
  });
  const union = z.object({
    u: z
      .union([z.object({ k: z.literal("a"), x: z.number() }), z.object({ k: z.literal("b"), y: z.number() })])
      .nullable(),
  });
  assert.equal((await parsed(union, '{"u":{"k":"b","y":1}}')).ok, true);
  assert.equal((await parsed(union, '{"u":{"k":"b","z":1}}')).ok, false);
  assert.equal((await parsed(union, '{"u":null}')).ok, true);
});

test("6.11: what is wrong in an array is told with its index", async () => {
  const verdict = await parsed(z.array(z.object({ n: z.number() })), '[{"n":1},5,{"n":"x"}]');
  assert.ok(!verdict.ok);
  assert.deepEqual(
    verdict.issues.map(({ path }) => path),
    ["[1]", "[2].n"],
  );
});

test("6.12: what is sent and what is read have the same fields", async () => {
  const schema = z.object({ shown: z.string(), id: z.string().default("made here") });
  const { outputSchema, parse } = await structuredOutput(schema);
  const written = Object.fromEntries(Object.keys(outputSchema.properties as object).map((key) => [key, "x"]));
  assert.deepEqual(await parse(JSON.stringify(written)), { ok: true, value: { shown: "x", id: "x" } });
});

test("6.13: output that is missing or does not fit is a bad response that holds the text", async () => {
  const prompt = definePrompt({ ns: "t", key: "s", sections, output: Summary });
  for (const text of ["", "Sorry, no.", '{"title":5}', "x".repeat(3000)]) {
    const scene = stage((server) => server.turn(text === "" ? {} : { text }));
    const error = await errorOf(scene.agent.evaluate(prompt.bind()));
    assert.ok(error instanceof StructuredOutputError && error instanceof PromptEvaluationError);
    assert.equal(error.phase, "response");
    assert.equal(error.text, text);
    assert.equal(error.payload?.text ?? "", text.slice(0, 2000));
    assert.ok(error.issues.length > 0);
  }
});

test("6.14: output that does not fit is not asked for again", async () => {
  const prompt = definePrompt({ ns: "t", key: "s", sections, output: Summary });
  const scene = stage((server) => server.turn({ text: "no" }));
  await assert.rejects(scene.agent.evaluate(prompt.bind()), StructuredOutputError);
  assert.equal(scene.server.received.filter(({ method }) => method === "turn/start").length, 1);
});

test("6.10: a text of nothing but opening fences is read as fast as any other", async () => {
  // Searched to its end from each of them, this would take minutes.
  const { ok } = await parsed(Summary, "```json\n".repeat(300_000));
  assert.equal(ok, false);
});
