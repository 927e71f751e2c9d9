import type { JsonSchema } from "@quire/client";
import { isPlainObject } from "../lib/frozen-copy.ts";

const single = ["items", "additionalProperties", "not", "if", "then", "else"];
const lists = ["anyOf", "oneOf", "prefixItems"];
const maps = ["properties", "patternProperties", "$defs", "definitions"];

/**
 * A JSON Schema in which every object allows the properties that it names and no others, unless it says itself what else
 * it allows. Parts of an `allOf` stay open: each of them would refuse what the others name.
 */
export function closeSchema(schema: JsonSchema): JsonSchema {
  return close(schema) as JsonSchema;
}

function close(schema: unknown): unknown {
  if (!isPlainObject(schema)) return schema;
  const closed: Record<string, unknown> = { ...schema };
  for (const key of single) if (key in closed) closed[key] = close(closed[key]);
  for (const key of lists) if (Array.isArray(closed[key])) closed[key] = (closed[key] as unknown[]).map(close);
  for (const key of maps) {
    const members = closed[key];
    if (isPlainObject(members)) {
      closed[key] = Object.fromEntries(Object.entries(members).map(([name, part]) => [name, close(part)]));
    }
  }
  const isComposed = closed.allOf !== undefined || closed.patternProperties !== undefined;
  const isRecord = closed.type === "object" || isPlainObject(closed.properties);
  if (isRecord && !isComposed && closed.additionalProperties === undefined) {
    closed.properties ??= {};
    closed.additionalProperties = false;
  }
  return closed;
}
