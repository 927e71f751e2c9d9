import { type SchemaIssue, toIssue } from "./issue.ts";
import { type SchemaInput, toStandardSchema } from "./schema-input.ts";

/** The verdict on a value. */
export type Validated<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly SchemaIssue[] };

/** Checks a value against a schema, and converts it where the schema says so. */
export async function validate<T = unknown>(schema: SchemaInput<T>, value: unknown): Promise<Validated<T>> {
  const result = await toStandardSchema(schema)["~standard"].validate(value);
  if (result.issues !== undefined) return { ok: false, issues: result.issues.map(toIssue) };
  return { ok: true, value: result.value as T };
}
