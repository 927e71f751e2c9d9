import { type JsonSchema, jsonSchema } from "./json-schema.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** A schema of a value of type `T`: a Standard Schema, `jsonSchema<T>(…)`, or a bare JSON Schema for any `T`. */
export type SchemaInput<T = unknown> = StandardSchema<unknown, T> | JsonSchema;

/** Tells a Standard Schema from a bare JSON Schema. Some libraries' schemas are functions. */
export function isStandardSchema(schema: object): schema is StandardSchema {
  return "~standard" in schema;
}

/** Looks at every schema as a Standard Schema. */
export function toStandardSchema(schema: object): StandardSchema {
  return isStandardSchema(schema) ? schema : jsonSchema(schema as JsonSchema);
}
