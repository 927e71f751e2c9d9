import type { JsonSchema } from "../schema/json-schema.ts";
import type { SchemaInput } from "../schema/schema-input.ts";
import { strictSchema } from "../schema/strict-schema.ts";
import { validate } from "../schema/validate.ts";
import { OutputError } from "./output-error.ts";

/** Structured output, ready for a turn. */
export interface PreparedOutput<T> {
  /** The `outputSchema` of `turn/start`. */
  readonly outputSchema: JsonSchema;
  /** Reads the last agent message. Rejects with an {@link OutputError} where it does not fit. */
  readonly parse: (text: string) => Promise<T>;
}

/** Prepares a schema for structured output. Rejects with a `SchemaError` where strict mode cannot express it. */
export async function prepareOutput<T = unknown>(schema: SchemaInput<T>): Promise<PreparedOutput<T>> {
  const strict = await strictSchema(schema);
  return {
    outputSchema: strict.schema,
    async parse(text) {
      const verdict = await validate(schema, strict.decode(parseJson(text)));
      if (!verdict.ok) throw new OutputError(text, verdict.issues);
      return verdict.value;
    },
  };
}

/** Models that know no strict mode like to fence their JSON. */
const fenced = /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(fenced.exec(text)?.[1] ?? text);
  } catch (cause) {
    throw new OutputError(text, [{ path: "", message: "is not JSON" }], { cause });
  }
}
