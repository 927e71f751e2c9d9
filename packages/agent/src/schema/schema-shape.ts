import type { JsonSchema, SchemaInput } from "@quire/client";
import type { StandardSchema } from "@quire/client/schemas";
import { isPlainObject } from "../lib/frozen-copy.ts";

/** The kind of value at the top of a schema. */
export type SchemaKind = "object" | "array" | "other";

/**
 * The names of an object schema's fields, if they are known at once. Undefined where they cannot: the schema
 * library tells them later, or the schema makes something else of its input.
 */
export function fieldsOf(schema: SchemaInput): readonly string[] | undefined {
  const parts = schema as { readonly shape?: unknown; readonly entries?: unknown; readonly properties?: unknown };
  // zod and valibot keep the fields themselves, which also tells those whose values are transformed.
  const own = isStandard(schema) ? (parts.shape ?? parts.entries) : parts.properties;
  if (typeof own === "object" && own !== null) return Object.keys(own);
  const json = jsonSchemaNow(schema);
  if (json === undefined || json.type !== "object") return undefined;
  return isPlainObject(json.properties) ? Object.keys(json.properties) : [];
}

/** The kind of value at the top of a schema, if it is known at once. */
export function kindOf(schema: SchemaInput): SchemaKind | undefined {
  const json = jsonSchemaNow(schema);
  if (json !== undefined) return kindOfJson(json);
  // Valibot names the kinds of its schemas.
  const { type } = schema as { readonly type?: unknown };
  if (typeof type !== "string") return undefined;
  if (type === "object" || type === "strict_object" || type === "loose_object") return "object";
  return type === "array" ? "array" : "other";
}

/** The kind of value at the top of a JSON Schema. A choice of objects is an object too. */
export function kindOfJson(schema: JsonSchema, root: JsonSchema = schema): SchemaKind {
  if (schema.type === "object" || schema.type === "array") return schema.type;
  const { anyOf, oneOf, allOf, $ref } = schema;
  for (const parts of [anyOf, oneOf, allOf]) {
    if (Array.isArray(parts) && parts.length > 0) {
      return parts.every((part) => isPlainObject(part) && kindOfJson(part, root) === "object") ? "object" : "other";
    }
  }
  const target = typeof $ref === "string" ? lookUp(root, $ref) : undefined;
  return target === undefined ? "other" : kindOfJson(target, root);
}

function lookUp(root: JsonSchema, ref: string): JsonSchema | undefined {
  const [, group = "", name = ""] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(ref) ?? [];
  const members = root[group];
  const found = isPlainObject(members) ? members[name] : undefined;
  // A definition that is a reference itself might lead back here.
  return isPlainObject(found) && found.$ref === undefined ? found : undefined;
}

function jsonSchemaNow(schema: SchemaInput): JsonSchema | undefined {
  if (!isStandard(schema)) return schema;
  const { jsonSchema } = schema["~standard"];
  const older = schema as { toJsonSchema?: () => JsonSchema; toJSONSchema?: () => JsonSchema };
  for (const convert of [
    () => jsonSchema?.output({ target: "draft-2020-12" }),
    () => (older.toJsonSchema ?? older.toJSONSchema)?.call(schema),
  ]) {
    try {
      const json = convert();
      if (json !== undefined) return json;
    } catch {
      // The input is checked later for what JSON Schema cannot express.
    }
  }
  return undefined;
}

const isStandard = (schema: SchemaInput): schema is StandardSchema => "~standard" in schema;

/** Checks a value where the schema answers at once; undefined where it answers later. */
export function checkNow(schema: SchemaInput, value: unknown): readonly string[] | undefined {
  if (!isStandard(schema)) return undefined;
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) {
    // The answer is asked for again when it can be waited for.
    result.catch(() => {});
    return undefined;
  }
  return (result.issues ?? []).map(({ path = [], message }) => {
    const at = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return at === "" ? message : `${at}: ${message}`;
  });
}
