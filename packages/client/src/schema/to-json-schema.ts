import { failureMessage } from "../lib/failure-message.ts";
import type { JsonSchema } from "./json-schema.ts";
import { SchemaError } from "./schema-error.ts";
import { isStandardSchema, type SchemaInput } from "./schema-input.ts";
import type { StandardSchema } from "./standard-schema.ts";

const target = "draft-2020-12";

/**
 * Gives the JSON Schema of the values that a schema takes: what a model has to write.
 *
 * It comes from the schema itself. Valibot keeps its conversion in `@valibot/to-json-schema`, which is imported when
 * first needed; where it cannot be (in a browser), wrap the schema with that package's `toStandardJsonSchema()`.
 */
export async function toJsonSchema(schema: SchemaInput): Promise<JsonSchema> {
  refuseOldZod(schema);
  const { $schema: _, ...rest } = isStandardSchema(schema) ? await convert(schema) : schema;
  return rest;
}

/** A schema of zod before 3.24 has no mark of a standard, and would pass for a JSON Schema with strange keywords. */
function refuseOldZod(schema: SchemaInput): void {
  if (isStandardSchema(schema) || !("_def" in schema) || !("safeParse" in schema)) return;
  throw new SchemaError("This schema is of zod 3.23 or older: update to zod 4, or pass jsonSchema(…)");
}

async function convert(schema: StandardSchema): Promise<JsonSchema> {
  const { vendor, jsonSchema } = schema["~standard"];
  try {
    if (jsonSchema !== undefined) return jsonSchema.input({ target });
    const own = ownMethod(schema);
    if (own !== undefined) return own();
  } catch (cause) {
    throw new SchemaError(`${vendor} cannot express this schema as JSON Schema: ${failureMessage(cause)}`, { cause });
  }
  if (vendor === "valibot") return convertValibot(schema);
  if (vendor === "zod")
    throw new SchemaError("A schema of zod 3 has no JSON Schema form: update to zod 4, or pass jsonSchema(…)");
  throw new SchemaError(
    `A schema of ${vendor} has no JSON Schema form here: use a version of ${vendor} that implements Standard JSON Schema, or pass jsonSchema(…)`,
  );
}

/** The conversion of arktype and zod from before there was a standard. */
function ownMethod(schema: StandardSchema): (() => JsonSchema) | undefined {
  const methods = schema as { toJsonSchema?: () => JsonSchema; toJSONSchema?: () => JsonSchema };
  const method = methods.toJsonSchema ?? methods.toJSONSchema;
  return method?.bind(schema);
}

type ValibotConverter = (schema: unknown, options: { target: string; typeMode: "input" }) => JsonSchema;

// Typed as any string, so that no compiler and no bundler follows an import that most users do not have.
const valibotPackage: string = "@valibot/to-json-schema";

async function convertValibot(schema: StandardSchema): Promise<JsonSchema> {
  let converter: ValibotConverter;
  try {
    const loaded = await import(/* webpackIgnore: true */ /* @vite-ignore */ valibotPackage);
    converter = (loaded as { toJsonSchema: ValibotConverter }).toJsonSchema;
  } catch (cause) {
    const remedy = `install it, wrap the schema with its toStandardJsonSchema(…), or pass jsonSchema(…)`;
    throw new SchemaError(`A valibot schema needs ${valibotPackage}: ${remedy}`, { cause });
  }
  try {
    return converter(schema, { target, typeMode: "input" });
  } catch (cause) {
    throw new SchemaError(`valibot cannot express this schema as JSON Schema: ${failureMessage(cause)}`, { cause });
  }
}
