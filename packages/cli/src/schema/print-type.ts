import type { Schema } from "./surface.ts";

const primitives: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

/** A schema as a TypeScript type. */
export function printType(schema: Schema | boolean): string {
  if (typeof schema === "boolean") return schema ? "unknown" : "never";
  if (schema.$ref !== undefined) return schema.$ref.slice("#/definitions/".length);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.oneOf ?? schema.anyOf)
    return withOwn(schema, (schema.oneOf ?? schema.anyOf ?? []).map(printType).join(" | "));
  if (schema.allOf) return withOwn(schema, schema.allOf.map(grouped).join(" & "));
  if (typeof schema.type === "object") {
    return schema.type.map((type) => printType({ ...schema, type })).join(" | ");
  }
  if (schema.type === "array") return `Array<${schema.items ? printType(schema.items) : "unknown"}>`;
  if (schema.type === "object" || schema.properties) return printObject(schema);
  return primitives[schema.type ?? ""] ?? "unknown";
}

/** A union or intersection beside fields of its own. */
function withOwn(schema: Schema, printed: string): string {
  return schema.properties ? `(${printed}) & ${printObject(schema)}` : printed;
}

function grouped(schema: Schema): string {
  const printed = printType(schema);
  return printed.includes(" | ") ? `(${printed})` : printed;
}

function printObject({ properties, required, additionalProperties }: Schema): string {
  const fields = Object.entries(properties ?? {}).map(([name, schema]) => {
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${key}${required?.includes(name) ? "" : "?"}: ${printType(schema)}`;
  });
  if (fields.length > 0) return `{ ${fields.join(", ")}, }`;
  if (typeof additionalProperties === "object") return `{ [key in string]?: ${printType(additionalProperties)} }`;
  return "Record<string, unknown>";
}
