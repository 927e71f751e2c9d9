import type { JsonSchema } from "./json-schema.ts";
import { typeOf } from "./json-value.ts";

type Node = Record<string, unknown>;

/** The formats that strict mode knows. */
const formats: readonly unknown[] = [
  "date-time",
  "time",
  "date",
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uuid",
];
const numberKeywords = ["multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const sizeKeywords = ["minItems", "maxItems"];
/** Keywords that say of what kind a value is. The others only narrow that, or describe it. */
const shaping: readonly string[] = [
  "type",
  "enum",
  "const",
  "properties",
  "required",
  "additionalProperties",
  "patternProperties",
  "items",
  "prefixItems",
  "allOf",
];

/** Keeps what describes a schema to the model. */
export function annotations(node: Node): Node {
  const kept: Node = {};
  for (const keyword of ["title", "description"]) {
    if (typeof node[keyword] === "string") kept[keyword] = node[keyword];
  }
  return kept;
}

/** Tells whether a schema says by itself, apart from `$ref` and unions, of what kind its values are. */
export function hasShape(node: Node): boolean {
  return shaping.some((keyword) => keyword in node);
}

/** Keeps what narrows a type further, as far as strict mode knows it. */
export function narrowing(node: Node): Node {
  const kept: Node = {};
  for (const keyword of [...numberKeywords, ...sizeKeywords]) {
    if (typeof node[keyword] === "number") kept[keyword] = node[keyword];
  }
  if (formats.includes(node.format)) kept.format = node.format;
  // Looking ahead or behind is not allowed in patterns.
  if (typeof node.pattern === "string" && !/\(\?<?[=!]/.test(node.pattern)) kept.pattern = node.pattern;
  return kept;
}

/** The types of literals, as the value of `type`. */
export function literalTypes(values: readonly unknown[]): unknown {
  const types = [...new Set(values.map(typeOf))];
  return types.length === 1 ? types[0] : types;
}

/** Lets `null` in beside what a strict schema accepts. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const isNullable = anyOf.some((branch: JsonSchema) => branch.type === "null");
    return isNullable ? schema : { ...schema, anyOf: [...anyOf, { type: "null" }] };
  }
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes("null")) return schema;
  const isPlain = types.every((one) => one === "string" || one === "number" || one === "integer" || one === "boolean");
  if (isPlain && !("const" in schema) && !("enum" in schema)) return { ...schema, type: [...types, "null"] };
  return { anyOf: [schema, { type: "null" }] };
}
