import type { SchemaInput } from "./schema-input.ts";
import { toJsonSchema } from "./to-json-schema.ts";
import type { StrictSchema } from "./to-strict.ts";

/**
 * Converts a schema to the JSON Schema that OpenAI's structured outputs accept in strict mode:
 *
 * - every object is closed and all its properties are required; what was optional may be `null` instead, and
 *   {@link StrictSchema.decode} leaves it out again;
 * - the root is an object: anything else is put into a property `value`, and taken out again;
 * - `oneOf` becomes `anyOf`, `allOf` is merged, a literal gets its type;
 * - what strict mode does not know (`default`, `minLength`, `not` …) is left out, so check the decoded value.
 *
 * Rejects with a `SchemaError` with the path of what cannot be said: records, tuples, values of any kind.
 */
export async function strictSchema(schema: SchemaInput): Promise<StrictSchema> {
  // Loaded when first needed: a page that asks for no structured output need not carry it.
  const [json, { toStrict }] = await Promise.all([toJsonSchema(schema), import("./to-strict.ts")]);
  return toStrict(json);
}
