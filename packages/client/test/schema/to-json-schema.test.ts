import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonSchema, SchemaError } from "@quire/client";
import { toJsonSchema } from "@quire/client/schemas";
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";

const person = {
  type: "object",
  properties: { name: { type: "string" }, age: { type: "number" } },
  required: ["name"],
};

test("a person described by zod, valibot, arktype or JSON Schema looks the same to the model", async () => {
  const schemas = {
    zod: z.object({ name: z.string(), age: z.number().optional() }),
    valibot: v.object({ name: v.string(), age: v.optional(v.number()) }),
    "valibot with its own conversion": toStandardJsonSchema(
      v.object({ name: v.string(), age: v.optional(v.number()) }),
    ),
    arktype: type({ name: "string", "age?": "number" }),
    typed: jsonSchema<{ name: string; age?: number }>(person),
    bare: person,
    "bare with $schema": { $schema: "http://json-schema.org/draft-07/schema#", ...person },
  };
  for (const [name, schema] of Object.entries(schemas)) assert.deepEqual(await toJsonSchema(schema), person, name);
});

test("the model is shown what it has to write, not what the program gets out of it", async () => {
  const transforming = z.object({ at: z.string().transform((text) => new Date(text)), tries: z.number().default(3) });
  assert.deepEqual(await toJsonSchema(transforming), {
    type: "object",
    properties: { at: { type: "string" }, tries: { type: "number", default: 3 } },
    required: ["at"],
  });
  const valibot = v.object({
    at: v.pipe(
      v.string(),
      v.transform((text) => new Date(text)),
    ),
  });
  assert.deepEqual((await toJsonSchema(valibot)).properties, { at: { type: "string" } });
  assert.deepEqual((await toJsonSchema(type({ n: "string.numeric.parse" }))).required, ["n"]);
});

test("a schema without a JSON form fails with the library's reason and with a remedy", async () => {
  await assert.rejects(toJsonSchema(z.object({ at: z.date() })), (error) => {
    assert.ok(SchemaError.is(error));
    assert.match(error.message, /zod cannot express this schema as JSON Schema: .*Date/);
    return true;
  });
  await assert.rejects(toJsonSchema(v.object({ at: v.date() })), /valibot cannot express/);
  // Schemas of zod 3: before 3.24 without a mark, then with one.
  const marks = { "~standard": { version: 1 as const, vendor: "zod", validate: () => ({ value: 1 }) } };
  for (const [old, said] of [
    [{ _def: { typeName: "ZodString" }, safeParse: () => ({}) }, /zod 3\.23 or older: update to zod 4/],
    [marks, /zod 3 has no JSON Schema form: update to zod 4/],
  ] as const) {
    await assert.rejects(toJsonSchema(old), (error) => SchemaError.is(error) && said.test(error.message));
  }
  const foreign = { "~standard": { version: 1 as const, vendor: "homemade", validate: () => ({ value: 1 }) } };
  await assert.rejects(toJsonSchema(foreign), /homemade has no JSON Schema form here: .* pass jsonSchema\(…\)/);
});

test("libraries from before the standard are asked by their own method", async () => {
  const own = {
    "~standard": { version: 1 as const, vendor: "old", validate: () => ({ value: 1 }) },
    toJsonSchema: () => ({ type: "number" }),
  };
  assert.deepEqual(await toJsonSchema(own), { type: "number" });
});
