/** The part of JSON Schema (draft-07) that Codex's schema output uses. */
export interface ObjectSchema {
  $ref?: string;
  title?: string;
  type?: string | string[];
  properties?: { [name: string]: Schema };
  required?: string[];
  additionalProperties?: Schema;
  items?: Schema;
  enum?: (string | number | boolean | null)[];
  const?: string | number | boolean | null;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  minLength?: number;
  format?: string;
  /** Kept where it is `null` or `false`: such a field is sent even if nothing is known of it. */
  default?: null | false;
}

/** A schema, or `true` for "anything" and `false` for "nothing". */
export type Schema = boolean | ObjectSchema;

/** Named schemas. */
export type Definitions = ReadonlyMap<string, Schema>;

const refPrefix = "#/definitions/";
const prose = new Set(["$schema", "description", "examples", "deprecated", "readOnly", "writeOnly"]);
const supported = new Set([
  ...["$ref", "title", "type", "properties", "required", "additionalProperties", "items", "enum", "const"],
  ...["oneOf", "anyOf", "allOf", "minimum", "minLength", "format", "default"],
]);

/** Narrows what `JSON.parse` gave to an object. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The definition that a `$ref` names. */
export const refName = (ref: string): string => ref.slice(refPrefix.length);

/**
 * Copies a schema as Codex wrote it, without its prose, with every reference in one flat namespace.
 * Throws at a keyword that neither the type printer nor the validator knows, so that nothing is silently ignored.
 */
export function normalize(raw: unknown, where: string): Schema {
  if (typeof raw === "boolean") return raw;
  if (!isRecord(raw)) throw new Error(`${where}: not a schema`);
  const schema: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(raw)) {
    if (prose.has(keyword) || (keyword === "default" && value !== null && value !== false)) continue;
    if (!supported.has(keyword)) throw new Error(`${where}: keyword "${keyword}" is not supported`);
    schema[keyword] = normalizeKeyword(keyword, value, where);
  }
  return schema;
}

function normalizeKeyword(keyword: string, value: unknown, where: string): unknown {
  if (keyword === "$ref") return refPrefix + String(value).split("/").at(-1);
  if (keyword === "properties" && isRecord(value)) {
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((name) => [name, normalize(value[name], `${where}.${name}`)]),
    );
  }
  if ((keyword === "oneOf" || keyword === "anyOf" || keyword === "allOf") && Array.isArray(value)) {
    return value.map((branch, index) => normalize(branch, `${where}.${keyword}[${index}]`));
  }
  if (keyword === "items" || keyword === "additionalProperties") return normalize(value, `${where}.${keyword}`);
  return value;
}

/** The union branches of a schema, `oneOf` and `anyOf` alike. */
export const branchesOf = (schema: ObjectSchema): Schema[] => schema.oneOf ?? schema.anyOf ?? [];

/** True for `{ "type": "null" }`. */
export const isNull = (schema: Schema): boolean => typeof schema === "object" && schema.type === "null";

/** The schemas directly inside a schema. */
function childrenOf(schema: Schema): Schema[] {
  if (typeof schema === "boolean") return [];
  return [
    ...Object.values(schema.properties ?? {}),
    ...branchesOf(schema),
    ...(schema.allOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(schema.additionalProperties === undefined ? [] : [schema.additionalProperties]),
  ];
}

/** Names of all definitions that a schema refers to, itself and inside. */
export function refsIn(schema: Schema, into: Set<string> = new Set()): Set<string> {
  if (typeof schema === "object" && schema.$ref !== undefined) into.add(refName(schema.$ref));
  for (const child of childrenOf(schema)) refsIn(child, into);
  return into;
}
