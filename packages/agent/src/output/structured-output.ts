import type { JsonSchema, SchemaInput } from "@quire/client";
import { type SchemaIssue, strictSchema, toJsonSchema, validate } from "@quire/client/schemas";
import { extraKeys } from "./extra-keys.ts";
import { extractJson } from "./extract-json.ts";

/** A prompt's output: its schema for the server, and its parser. */
export interface StructuredOutput<T> {
  /** The schema for the server: strict, with an object at its root. */
  readonly outputSchema: JsonSchema;
  /** Reads what the model wrote. It never rejects. */
  parse(text: string): Promise<ParsedOutput<T>>;
}

/** The value, or what is wrong. */
export type ParsedOutput<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** Options of {@link structuredOutput}. */
export interface StructuredOutputOptions {
  /** Passes keys that the schema does not know. Default: they are an error. */
  readonly allowExtraKeys?: boolean | undefined;
}

/** The property that holds an array, since the root of a strict schema is an object. */
const itemsKey = "items";

/**
 * Prepares a schema for structured output. Objects are asked for as they are, arrays as an object with the one property
 * `items`. Rejects with a `SchemaError` for what strict mode cannot express, maps and tuples among it.
 */
export async function structuredOutput<T>(
  schema: SchemaInput<T>,
  options: StructuredOutputOptions = {},
): Promise<StructuredOutput<T>> {
  const json = await toJsonSchema(schema);
  const isArray = json.type === "array";
  const strict = await strictSchema(isArray ? wrap(json) : schema);
  const parse = async (text: string): Promise<ParsedOutput<T>> => {
    const found = extractJson(text);
    if (!found.ok) return failed(found.message);
    const written = isArray && Array.isArray(found.value) ? { [itemsKey]: found.value } : found.value;
    if (isArray && !hasItems(written)) return failed(`expected an object with an array "${itemsKey}", or an array`);
    const extra = options.allowExtraKeys ? [] : extraKeys(strict.schema, written);
    if (extra.length > 0) return { ok: false, issues: extra };
    const decoded = strict.decode(written);
    return validate(schema, isArray && hasItems(decoded) ? decoded.items : decoded);
  };
  return { outputSchema: strict.schema, parse };
}

/** Definitions stay at the root, where references look for them. */
function wrap({ $defs, definitions, ...array }: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { [itemsKey]: array },
    required: [itemsKey],
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

const failed = (message: string): ParsedOutput<never> => ({ ok: false, issues: [{ path: "", message }] });

function hasItems(value: unknown): value is { readonly items: unknown[] } {
  return typeof value === "object" && value !== null && itemsKey in value && Array.isArray(value.items);
}
