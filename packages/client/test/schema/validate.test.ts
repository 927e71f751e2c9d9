import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonSchema, type SchemaInput } from "@quire/client";
import { validate } from "@quire/client/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

test("a fault is named with its path, whichever library found it", async () => {
  const schemas: Record<string, SchemaInput> = {
    zod: z.object({ items: z.array(z.object({ "the name": z.string() })) }),
    valibot: v.object({ items: v.array(v.object({ "the name": v.string() })) }),
    arktype: type({ items: type({ "the name": "string" }).array() }),
    json: {
      type: "object",
      properties: { items: { type: "array", items: { properties: { "the name": { type: "string" } } } } },
    },
  };
  for (const [name, schema] of Object.entries(schemas)) {
    const verdict = await validate(schema, { items: [{ "the name": "one" }, { "the name": 2 }] });
    assert.ok(!verdict.ok, name);
    assert.deepEqual(
      verdict.issues.map((issue) => issue.path),
      ['items[1]["the name"]'],
      name,
    );
  }
});

test("what a schema converts arrives converted, also asynchronously", async () => {
  const schema = z.object({
    at: z.string().transform(async (text) => new Date(text)),
    tries: z.number().default(3),
  });
  const verdict = await validate(schema, { at: "2026-01-01" });
  assert.ok(verdict.ok);
  const { at, tries }: { at: Date; tries: number } = verdict.value;
  assert.equal(at.getUTCFullYear(), 2026);
  assert.equal(tries, 3);
});

test("a typed JSON Schema gives its type, a bare one gives unknown", async () => {
  const typed = await validate(jsonSchema<{ a: string }>({ type: "object" }), { a: "x" });
  if (typed.ok) typed.value.a satisfies string;
  const bare = await validate({ type: "object" }, { a: "x" });
  // @ts-expect-error nothing is known of it
  if (bare.ok) bare.value.a;
  assert.ok(typed.ok && bare.ok);
});

const cases: readonly (readonly [
  schema: Record<string, unknown>,
  good: readonly unknown[],
  bad: readonly unknown[],
])[] = [
  [{ type: "integer", minimum: 1, exclusiveMaximum: 4 }, [1, 3, 2.0], [0, 4, 1.5, "1", null]],
  [{ type: ["string", "null"], maxLength: 2, minLength: 1 }, ["a", "👍👍", null], ["", "abc", 1]],
  [{ pattern: "^a+$" }, ["aa", 5], ["b"]],
  [{ pattern: "^[\\w.\\-]+$" }, ["a-b"], ["a b"]],
  [{ enum: ["x", 1, null, { a: [1] }] }, ["x", 1, null, { a: [1] }], ["y", { a: [2] }, { a: [1], b: 1 }]],
  [{ const: { a: 1, b: 2 } }, [{ b: 2, a: 1 }], [{ a: 1 }]],
  [{ multipleOf: 0.1 }, [0.3, 1], [0.35]],
  [
    { items: { type: "number" }, minItems: 1, maxItems: 2, uniqueItems: true },
    [[1], [1, 2]],
    [[], [1, 2, 3], [1, 1], ["a"]],
  ],
  [{ prefixItems: [{ type: "string" }], items: false }, [["a"], []], [["a", 1], [1]]],
  [
    { properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
    [{ a: "" }, 7],
    [{}, { a: 1 }, { a: "", b: 1 }],
  ],
  [{ additionalProperties: { type: "number" }, propertyNames: { maxLength: 1 } }, [{ a: 1 }], [{ a: "1" }, { ab: 1 }]],
  [
    { patternProperties: { "^x": { type: "number" } }, additionalProperties: false },
    [{ xa: 1 }],
    [{ xa: "" }, { a: 1 }],
  ],
  [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
  [{ dependentRequired: { a: ["b"] } }, [{}, { b: 1 }, { a: 1, b: 1 }], [{ a: 1 }]],
  [{ anyOf: [{ type: "string" }, { minimum: 3 }] }, ["a", 4], [2]],
  [{ oneOf: [{ type: "number" }, { minimum: 3 }] }, [2, "a"], [4]],
  [{ allOf: [{ minimum: 1 }, { maximum: 2 }] }, [1, 2], [0, 3]],
  [{ not: { type: "string" } }, [1], ["a"]],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: { type: "string" }, then: { minLength: 2 }, else: { type: "number" } }, ["ab", 1], ["a", null]],
  [
    { $defs: { n: { properties: { next: { $ref: "#/$defs/n" } }, required: ["v"] } }, $ref: "#/$defs/n" },
    [{ v: 1, next: { v: 1 } }],
    [{ v: 1, next: {} }],
  ],
  [
    { properties: { next: { $ref: "#" }, v: { type: "number" } } },
    [{ next: { next: { v: 1 } } }],
    [{ next: { next: { v: "" } } }],
  ],
  [{ $defs: { "a/b~c": { type: "string" } }, properties: { x: { $ref: "#/$defs/a~1b~0c" } } }, [{ x: "" }], [{ x: 1 }]],
  [{}, [1, null, "a", {}], []],
];

test("JSON Schemas are judged as Ajv judges them", async () => {
  const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 9 });
  for (const [schema, good, bad] of cases) {
    const reference = ajv.compile(schema);
    for (const value of [...good, ...bad]) {
      const expected = good.includes(value);
      const place = `${JSON.stringify(schema)} of ${JSON.stringify(value)}`;
      assert.equal(reference(value), expected, `Ajv: ${place}`);
      assert.equal((await validate(schema, value)).ok, expected, place);
    }
  }
});

test("a union's message speaks of the alternative that was meant", async () => {
  const variant = (kind: string, more: object) => ({
    type: "object",
    properties: { kind: { const: kind }, at: more },
    required: ["kind", "at"],
  });
  const schema = { anyOf: [{ type: "string" }, variant("time", { type: "object", required: ["hour"] })] };
  const verdict = await validate(schema, { kind: "time", at: {} });
  assert.deepEqual(verdict, { ok: false, issues: [{ path: "at.hour", message: "is missing" }] });
  const neither = await validate(schema, 5);
  assert.ok(!neither.ok);
  assert.match(
    neither.issues[0]?.message ?? "",
    /fits none of 2 alternatives: expected string, got integer; expected object/,
  );
});

test("a schema that refers to itself for ever, or to nothing, is a fault and not a hang", async () => {
  const endless = await validate({ $ref: "#" }, 1);
  assert.ok(!endless.ok);
  assert.match(endless.issues[0]?.message ?? "", /refers to itself without end/);
  const nowhere = await validate({ $ref: "#/$defs/missing" }, 1);
  assert.ok(!nowhere.ok);
  assert.match(nowhere.issues[0]?.message ?? "", /leads nowhere/);
});

test("a long list of faults is cut", async () => {
  const verdict = await validate(
    { items: { type: "string" } },
    Array.from({ length: 10_000 }, (_, index) => index),
  );
  assert.ok(!verdict.ok);
  assert.equal(verdict.issues.length, 20);
});
