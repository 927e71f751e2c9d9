import { ownValue } from "../../lib/table.ts";

type Schema = Readonly<Record<string, unknown>>;

/** A deeper schema counts as endless. */
const maxDepth = 24;

/**
 * A value that satisfies a schema, always the same for the same schema; `text` fills free strings. Supports strict
 * output schemas: types, properties, items, enum, const, anyOf, allOf, references and bounds.
 */
export function schemaSample(schema: unknown, text: string): unknown {
  return sample(schema, { root: schema, text, depth: 0 });
}

interface Context {
  readonly root: unknown;
  readonly text: string;
  readonly depth: number;
}

function sample(schema: unknown, context: Context): unknown {
  if (!isSchema(schema) || context.depth > maxDepth) return null;
  const deeper = { ...context, depth: context.depth + 1 };
  if (typeof schema.$ref === "string") return sample(resolve(schema.$ref, context.root), deeper);
  if ("const" in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if ("default" in schema) return schema.default;
  const choices = [schema.anyOf, schema.oneOf].find((each) => Array.isArray(each)) as unknown[] | undefined;
  if (choices) return sample(simplest(choices, context.depth), deeper);
  if (Array.isArray(schema.allOf)) return sample(joined([schema, ...schema.allOf], context.root), deeper);
  return ofType(schema, deeper);
}

function ofType(schema: Schema, context: Context): unknown {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  // Far down, `null` ends what might continue for ever.
  if (types.includes("null") && context.depth > maxDepth / 2) return null;
  switch (types.find((type) => type !== "null") ?? types[0] ?? (isSchema(schema.properties) ? "object" : "string")) {
    case "object":
      return object(schema, context);
    case "array":
      return Array.from({ length: number(schema.minItems, context.depth > maxDepth / 2 ? 0 : 1) }, (_, index) =>
        sample(Array.isArray(schema.prefixItems) ? (schema.prefixItems[index] ?? schema.items) : schema.items, context),
      );
    case "integer":
      return Math.ceil(numeric(schema));
    case "number":
      return numeric(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return string(schema, context.text);
  }
}

function object(schema: Schema, context: Context): Record<string, unknown> {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const required = new Set(Array.isArray(schema.required) ? schema.required.map(String) : []);
  const wanted = Object.keys(properties).filter((key) => required.has(key) || context.depth < 4);
  for (const key of required) if (!Object.hasOwn(properties, key)) wanted.push(key);
  return Object.fromEntries(
    wanted.map((key) => [key, sample(ownValue(properties, key) ?? { type: "string" }, context)]),
  );
}

function numeric(schema: Schema): number {
  const step = number(schema.multipleOf, 0);
  const low =
    "exclusiveMinimum" in schema ? number(schema.exclusiveMinimum, 0) + (step || 1) : number(schema.minimum, 0);
  const high =
    "exclusiveMaximum" in schema ? number(schema.exclusiveMaximum, low + 2) - 0.5 : number(schema.maximum, low);
  const value = low > high ? (number(schema.exclusiveMinimum, low) + high) / 2 : Math.min(Math.max(0, low), high);
  return step > 0 ? Math.ceil(value / step) * step : value;
}

const formats: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    "date-time": "2000-01-01T00:00:00Z",
    date: "2000-01-01",
    time: "00:00:00Z",
    duration: "PT1S",
    email: "offline@example.com",
    hostname: "example.com",
    ipv4: "127.0.0.1",
    ipv6: "::1",
    uri: "https://example.com/",
    uuid: "00000000-0000-4000-8000-000000000000",
  }),
);

function string(schema: Schema, text: string): string {
  const fixed = typeof schema.format === "string" ? formats.get(schema.format) : undefined;
  if (fixed !== undefined) return fixed;
  const cut = text.slice(0, number(schema.maxLength, text.length));
  return cut.padEnd(number(schema.minLength, 0), ".");
}

/** The first alternative, or deep down one that ends soon. */
function simplest(choices: readonly unknown[], depth: number): unknown {
  const short = choices.find((each) => isSchema(each) && each.type !== "object" && each.type !== "array" && !each.$ref);
  return depth > maxDepth / 2
    ? (short ?? choices[0])
    : (choices.find((each) => !isSchema(each) || each.type !== "null") ?? choices[0]);
}

function joined(schemas: readonly unknown[], root: unknown): Schema {
  let result: Schema = {};
  for (const each of schemas) {
    const schema = isSchema(each) && typeof each.$ref === "string" ? resolve(each.$ref, root) : each;
    if (!isSchema(schema)) continue;
    const { allOf: _, ...rest } = schema;
    const properties = {
      ...(isSchema(result.properties) ? result.properties : {}),
      ...(isSchema(rest.properties) ? rest.properties : {}),
    };
    const required = [result.required, rest.required].flatMap((names) => (Array.isArray(names) ? names : []));
    result = { ...result, ...rest, properties, required };
  }
  return Object.keys(result.properties ?? {}).length === 0 ? { ...result, properties: undefined } : result;
}

/** A reference within the schema: `#`, `#/$defs/name`. */
function resolve(reference: string, root: unknown): unknown {
  let value: unknown = root;
  for (const part of reference.replace(/^#\/?/, "").split("/").filter(Boolean)) {
    const name = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    value = isSchema(value) ? ownValue(value, name) : undefined;
  }
  return value;
}

function number(value: unknown, fallback: number): number {
  return typeof value === "number" ? value : fallback;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
