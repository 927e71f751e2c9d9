import type { JsonSchema } from "./json-schema.ts";
import type { SchemaInput } from "./schema-input.ts";
import { toJsonSchema } from "./to-json-schema.ts";

/** A JSON Schema under the strict rules, and the way back from what a model writes under it. */
export interface StrictSchema {
  /** The schema for the model. */
  readonly schema: JsonSchema;
  /** Makes of a value under the strict schema one under the original. Values that do not fit come back as they are. */
  readonly decode: (value: unknown) => unknown;
}

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
