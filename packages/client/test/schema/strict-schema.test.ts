import assert from "node:assert/strict";
import { test } from "node:test";
import { SchemaError } from "@quire/client";
import { strictSchema } from "@quire/client/schemas";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { assertStrict } from "./strict-rules.ts";

test("objects are closed, optional properties become nullable, and null becomes absent again", async () => {
  const { schema, decode } = await strictSchema({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      name: { type: "string", minLength: 2, default: "x" },
      nick: { type: "string", description: "if any" },
      mood: { enum: ["good", "bad"] },
      home: { type: "object", properties: { city: { type: "string" } } },
      gone: { type: ["string", "null"] },
    },
    required: ["name"],
  });
  assert.deepEqual(schema, {
    type: "object",
    properties: {
      name: { type: "string" },
      nick: { description: "if any", type: ["string", "null"] },
      mood: { anyOf: [{ type: "string", enum: ["good", "bad"] }, { type: "null" }] },
      home: {
        anyOf: [
          {
            type: "object",
            properties: { city: { type: ["string", "null"] } },
            required: ["city"],
            additionalProperties: false,
          },
          { type: "null" },
        ],
      },
      gone: { type: ["string", "null"] },
    },
    required: ["name", "nick", "mood", "home", "gone"],
    additionalProperties: false,
  });
  const written = { name: "Ann", nick: null, mood: null, home: { city: null }, gone: null };
  assert.deepEqual(decode(written), { name: "Ann", home: {}, gone: null });
});

test("a root that is no object travels in one", async () => {
  const list = await strictSchema({ type: "array", items: { type: "number" } });
  assertStrict(list.schema);
  assert.deepEqual(list.decode({ value: [1, 2] }), [1, 2]);
  assert.deepEqual(list.decode([1, 2]), [1, 2], "also where the model forgot to wrap it");

  const union = await strictSchema({ oneOf: [{ type: "string" }, { type: "object", properties: {} }] });
  assertStrict(union.schema);
  assert.deepEqual(union.decode({ value: "x" }), "x");
});

test("what refers to itself stays so, also when the root had to be wrapped", async () => {
  const tree = await strictSchema({
    type: "object",
    properties: { v: { type: "number" }, kids: { type: "array", items: { $ref: "#" } } },
    required: ["v"],
  });
  assertStrict(tree.schema);
  assert.deepEqual(tree.decode({ v: 1, kids: [{ v: 2, kids: null }] }), { v: 1, kids: [{ v: 2 }] });

  const nested = await strictSchema({ anyOf: [{ type: "number" }, { type: "array", items: { $ref: "#" } }] });
  assertStrict(nested.schema);
  assert.deepEqual(nested.decode({ value: [1, [2]] }), [1, [2]]);
  assert.deepEqual((nested.schema.$defs as Record<string, { anyOf: unknown[] }>).__root?.anyOf[1], {
    type: "array",
    items: { $ref: "#/$defs/__root" },
  });

  const named = await strictSchema({
    $ref: "#/definitions/Node",
    definitions: {
      Node: { type: "object", properties: { next: { $ref: "#/definitions/Node", description: "the next" } } },
    },
  });
  assertStrict(named.schema);
  assert.deepEqual(named.decode({ next: { next: null } }), { next: {} });
});

test("each alternative of a union gets back its own absent properties", async () => {
  const { schema, decode } = await strictSchema({
    type: "array",
    items: {
      oneOf: [
        { type: "object", properties: { kind: { const: "a" }, x: { type: "number" } }, required: ["kind"] },
        { type: "object", properties: { kind: { const: "b" }, x: { type: "null" } }, required: ["kind", "x"] },
      ],
    },
  });
  assertStrict(schema);
  const written = {
    value: [
      { kind: "a", x: null },
      { kind: "b", x: null },
    ],
  };
  assert.deepEqual(decode(written), [{ kind: "a" }, { kind: "b", x: null }]);
});

test("intersections are merged into one object", async () => {
  const zod = z.intersection(z.object({ a: z.string() }), z.object({ b: z.number().optional() }));
  const { schema, decode } = await strictSchema(zod);
  assertStrict(schema);
  assert.deepEqual(schema.required, ["a", "b"]);
  assert.deepEqual(decode({ a: "x", b: null }), { a: "x" });
  const valibot = v.intersect([v.object({ a: v.string() }), v.object({ a: v.pipe(v.string(), v.email()) })]);
  assertStrict((await strictSchema(valibot)).schema);
  const beside = await strictSchema({
    type: "object",
    properties: { a: { type: "string" }, b: { type: "string" } },
    anyOf: [{ required: ["a"] }, { required: ["b"] }],
  });
  assertStrict(beside.schema);
  assert.deepEqual(beside.decode({ value: { a: "x", b: null } }), { a: "x" });
});

test("what the libraries write passes the rules", async () => {
  const zod = z.object({
    mail: z.email().optional(),
    tries: z.int().min(1).default(3),
    choice: z.discriminatedUnion("k", [z.object({ k: z.literal("x") }), z.object({ k: z.literal("y"), n: z.null() })]),
    open: z.looseObject({ a: z.string() }),
    many: z.array(z.enum(["p", "q"])).min(1),
    set: z.union([z.literal(1), z.literal("one")]).nullish(),
  });
  const valibot = v.object({ u: v.variant("k", [v.object({ k: v.literal(1) }), v.strictObject({ k: v.literal(2) })]) });
  const ark = type({ "mail?": "string.email", u: "'x' | 'y' | null", n: "string.numeric", list: "string[]" });
  for (const schema of [zod, valibot, ark]) assertStrict((await strictSchema(schema)).schema);
});

const refused: readonly (readonly [path: string, schema: object, why: RegExp])[] = [
  [
    "counts",
    { properties: { counts: { type: "object", additionalProperties: { type: "number" } } } },
    /keys that are not/,
  ],
  [
    "any[].of",
    { properties: { any: { type: "array", items: { properties: { of: {} } } } } },
    /any value; give it a type/,
  ],
  ["open", { properties: { open: { type: "object" } } }, /keys that are not known beforehand/],
  ["list[]", { properties: { list: { type: "array" } } }, /any value/],
  ["pair", { properties: { pair: { type: "array", prefixItems: [{ type: "number" }] } } }, /tuple/],
  ["lit", { properties: { lit: { const: { a: 1 } } } }, /literal object/],
  ["ref", { properties: { ref: { $ref: "#/$defs/nope" } } }, /leads nowhere/],
  ["", { allOf: [{ type: "string" }, { type: "number" }] }, /exclude each other/],
  ["$defs.R", { properties: {}, $defs: { R: { type: "object", additionalProperties: true } } }, /keys/],
  [
    "next",
    { $defs: { N: { properties: { next: { allOf: [{ $ref: "#/$defs/N" }] } } } }, $ref: "#/$defs/N" },
    /contains itself/,
  ],
];

test("what strict mode cannot say is refused with its path", async () => {
  for (const [path, schema, why] of refused) {
    await assert.rejects(strictSchema(schema as Record<string, unknown>), (error) => {
      assert.ok(SchemaError.is(error), String(error));
      assert.match(error.message, why);
      if (path !== "next") assert.equal(error.path, path);
      return true;
    });
  }
});

test("patterns that look around and formats that are not known are left to validation", async () => {
  const { schema } = await strictSchema({
    properties: {
      a: { type: "string", pattern: "^(?!x)", format: "uri" },
      b: { type: "string", pattern: "^a$", format: "date" },
    },
    required: ["a", "b"],
  });
  assert.deepEqual(schema.properties, { a: { type: "string" }, b: { type: "string", pattern: "^a$", format: "date" } });
});
