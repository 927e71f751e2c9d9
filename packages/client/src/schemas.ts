/** Schemas of any library: as JSON Schema, in OpenAI's strict form, and validated. */
export { type PreparedOutput, prepareOutput } from "./output/prepare-output.ts";
export type { SchemaIssue } from "./schema/issue.ts";
export type { TypedJsonSchema } from "./schema/json-schema.ts";
export type { StandardSchema } from "./schema/standard-schema.ts";
export { strictSchema } from "./schema/strict-schema.ts";
export { toJsonSchema } from "./schema/to-json-schema.ts";
export type { StrictSchema } from "./schema/to-strict.ts";
export { type Validated, validate } from "./schema/validate.ts";
