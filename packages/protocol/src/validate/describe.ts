import { deref, type Resolve } from "./discriminator.ts";
import { integerBounds, isObject, type ObjectSchema, type Schema } from "./schema.ts";

const longestText = 60;
const mostAlternatives = 24;

/** Says what a value is, shortly: scalars as they are, the others by their kind. */
export function received(value: unknown): string {
  if (typeof value === "string") {
    const text = value.length > longestText ? `${value.slice(0, longestText)}…` : value;
    return JSON.stringify(text);
  }
  if (Array.isArray(value)) return "array";
  return isObject(value) ? "object" : String(value);
}

/** Says what a schema accepts, such as `"low" | "high"` or `string`. `null` is only mentioned where asked for. */
export function expected(schema: Schema, resolve: Resolve, withNull: boolean = false): string {
  const parts = [...new Set(alternatives(schema, resolve))].filter((part) => part !== "null");
  const listed = parts.slice(0, mostAlternatives);
  if (parts.length > listed.length) listed.push(`${parts.length - listed.length} more`);
  if (listed.length === 0 || (withNull && allowsNull(schema, resolve))) listed.push("null");
  return listed.join(" | ");
}

/** True if the schema accepts `null`. */
function allowsNull(schema: Schema, resolve: Resolve): boolean {
  return alternatives(schema, resolve).includes("null");
}

function alternatives(schema: Schema, resolve: Resolve): string[] {
  const target = deref(schema, resolve);
  if (typeof target === "boolean") return [target ? "anything" : "nothing"];
  const union = target.oneOf ?? target.anyOf;
  if (union !== undefined && target.properties === undefined) {
    return union.flatMap((branch) => alternatives(branch, resolve));
  }
  const [part] = target.allOf ?? [];
  if (target.type === undefined && part !== undefined) return alternatives(part, resolve);
  if (target.const !== undefined) return [JSON.stringify(target.const)];
  if (target.enum !== undefined) return target.enum.map((value) => JSON.stringify(value));
  const types =
    target.type === undefined ? ["anything"] : typeof target.type === "string" ? [target.type] : target.type;
  return types.map((type) => describeType(type, target));
}

function describeType(type: string, schema: ObjectSchema): string {
  if (type === "integer") return describeInteger(schema);
  if (type === "string" && schema.minLength !== undefined) {
    return schema.minLength === 1 ? "non-empty string" : `string of at least ${schema.minLength} characters`;
  }
  // An object that may hold one key only is how an enum with data looks; the key says which.
  const [key] = schema.required ?? [];
  if (type === "object" && schema.additionalProperties === false && schema.required?.length === 1) return `{ ${key} }`;
  return type;
}

function describeInteger({ minimum, format }: ObjectSchema): string {
  const [least, most] = (format === undefined ? undefined : integerBounds[format]) ?? [undefined, undefined];
  const from = Math.max(minimum ?? Number.NEGATIVE_INFINITY, least ?? Number.NEGATIVE_INFINITY);
  if (most !== undefined && Number.isFinite(most)) return `integer from ${from} to ${most}`;
  return Number.isFinite(from) ? `integer of at least ${from}` : "integer";
}
