import { isEqual, isObject } from "./json-value.ts";
import { SchemaError } from "./schema-error.ts";

type Node = Record<string, unknown>;

/** Several schemas that a value must all fit, as one. Throws a SchemaError where no single schema says it. */
export function mergeSchemas(parts: readonly Node[], path: string): Node {
  const merged: Node = {};
  for (const [keyword, value] of parts.flatMap((part) => Object.entries(part))) {
    merged[keyword] = keyword in merged ? mergeKeyword(keyword, [merged[keyword], value], path) : value;
  }
  return merged;
}

function mergeKeyword(keyword: string, [left, right]: readonly [unknown, unknown], path: string): unknown {
  if (isEqual(left, right)) return left;
  if (keyword === "properties" && isObject(left) && isObject(right)) return mergeProperties(left, right);
  if (keyword === "required") return [...new Set([...asArray(left), ...asArray(right)])];
  if (keyword === "type") return narrowTypes(asArray(left), asArray(right), path);
  if (keyword === "enum") return nonEmpty(common(asArray(left), asArray(right)), path);
  if (keyword === "additionalProperties")
    return left === false || right === false ? false : isObject(left) ? left : right;
  if (["const", "anyOf", "oneOf", "$ref", "items", "prefixItems", "patternProperties"].includes(keyword)) {
    throw contradiction(`the parts of allOf differ in ${keyword}`, path);
  }
  // What is left only narrows or describes. The value is checked against the whole schema afterwards.
  return left;
}

function mergeProperties(left: Node, right: Node): Node {
  const merged: Node = { ...left };
  for (const [name, schema] of Object.entries(right)) {
    merged[name] = Object.hasOwn(left, name) ? { allOf: [left[name], schema] } : schema;
  }
  return merged;
}

function narrowTypes(left: readonly unknown[], right: readonly unknown[], path: string): unknown {
  const widened = (types: readonly unknown[]) => (types.includes("number") ? [...types, "integer"] : types);
  const shared = nonEmpty(common(widened(left), widened(right)), path);
  const types = shared.includes("number") ? shared.filter((type) => type !== "integer") : shared;
  return types.length === 1 ? types[0] : types;
}

const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value]);

const common = (left: readonly unknown[], right: readonly unknown[]): unknown[] =>
  left.filter((one) => right.some((other) => isEqual(one, other)));

function nonEmpty(values: unknown[], path: string): unknown[] {
  if (values.length === 0) throw contradiction("the parts of allOf exclude each other", path);
  return values;
}

const contradiction = (message: string, path: string): SchemaError =>
  new SchemaError(`${path === "" ? "the schema" : path}: ${message}`, { path });
