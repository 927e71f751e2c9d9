import assert from "node:assert/strict";
import { test } from "node:test";
import { structuredOutput } from "@quire/agent/prompts";
import { type JsonSchema, jsonSchema } from "@quire/client";
import { type Random, random } from "@quire/testkit";

/** A JSON Schema with objects, arrays, unions, optional fields and literals, and a way to make values that fit it. */
interface Made {
  readonly schema: JsonSchema;
  value(): unknown;
}

function make(chosen: Random, depth: number): Made {
  const kinds =
    depth > 0
      ? ["string", "integer", "boolean", "enum", "object", "array", "union"]
      : ["string", "integer", "boolean", "enum"];
  switch (chosen.pick(kinds)) {
    case "string":
      return { schema: { type: "string" }, value: () => chosen.pick(["", "a", "null", "`$x`", 'ü\n"{[', "items"]) };
    case "integer":
      return { schema: { type: "integer", minimum: 0 }, value: () => chosen.int(0, 99) };
    case "boolean":
      return { schema: { type: "boolean" }, value: () => chosen.chance() };
    case "enum":
      return { schema: { enum: ["x", "y", 3] }, value: () => chosen.pick(["x", "y", 3]) };
    case "array": {
      const item = make(chosen, depth - 1);
      return {
        schema: { type: "array", items: item.schema },
        value: () => Array.from({ length: chosen.int(0, 3) }, () => item.value()),
      };
    }
    case "union": {
      const branches = [make(chosen, 0), makeObject(chosen, depth - 1)];
      return { schema: { anyOf: branches.map(({ schema }) => schema) }, value: () => chosen.pick(branches).value() };
    }
    default:
      return makeObject(chosen, depth - 1);
  }
}

function makeObject(chosen: Random, depth: number): Made {
  const names = chosen.shuffle(["items", "value", "name", "$ref", "a b", "type"]).slice(0, chosen.int(1, 4));
  const fields = names.map((name) => ({ name, isOptional: chosen.chance(0.3), made: make(chosen, depth) }));
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, made }) => [name, made.schema])),
    required: fields.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
  };
  const value = () =>
    Object.fromEntries(
      fields.filter(({ isOptional }) => !isOptional || chosen.chance()).map(({ name, made }) => [name, made.value()]),
    );
  return { schema, value };
}

/** What a model writes under the strict schema: every field, null for those that are left out. */
function asModel(schema: JsonSchema, value: unknown): unknown {
  if (Array.isArray(schema.anyOf) && typeof value === "object" && value !== null)
    return asModel((schema.anyOf.find((branch: JsonSchema) => branch.type === "object") ?? {}) as JsonSchema, value);
  if (Array.isArray(value)) return value.map((each) => asModel(schema.items as JsonSchema, each));
  if (typeof value !== "object" || value === null) return value;
  const properties = schema.properties as Record<string, JsonSchema>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, part]) => [
      name,
      name in value ? asModel(part, (value as Record<string, unknown>)[name]) : null,
    ]),
  );
}

test("6.4, 6.7, 6.8: whatever fits a schema survives the way to the model and back", async () => {
  const chosen = random();
  for (let round = 0; round < 200; round++) {
    const isArray = chosen.chance(0.3);
    const item = makeObject(chosen, 2);
    const schema: JsonSchema = isArray ? { type: "array", items: item.schema } : item.schema;
    const value = isArray ? [item.value(), item.value()] : item.value();
    const { outputSchema, parse } = await structuredOutput(jsonSchema(schema));
    const written = isArray
      ? { items: (value as unknown[]).map((each) => asModel(item.schema, each)) }
      : asModel(schema, value);
    const where = `QUIRE_SEED=${chosen.seed}, round ${round}: ${JSON.stringify({ schema, value })}`;
    assert.equal(outputSchema.type, "object", where);
    const wrapped = chosen.pick([JSON.stringify(written), `\`\`\`json\n${JSON.stringify(written, null, 2)}\n\`\`\``]);
    assert.deepEqual(await parse(wrapped), { ok: true, value }, where);
    const broken = isArray
      ? { items: [...(written as { items: unknown[] }).items, 5] }
      : { ...(written as object), unasked: 1 };
    assert.equal((await parse(JSON.stringify(broken))).ok, false, where);
  }
});
