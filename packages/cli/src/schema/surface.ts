import { type MethodRow, methods } from "@quire/protocol/methods";
import { definitions } from "@quire/protocol/schemas";

/** JSON Schema, as far as the protocol uses it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly [key: string]: unknown;
}

/** One method of the surface. */
export type Method = MethodRow & { readonly name: string };

/** What is written down: methods, and every type that they lead to. */
export interface Surface {
  readonly methods: readonly Method[];
  /** Sorted by name. */
  readonly types: ReadonlyMap<string, Schema>;
}

/** @param experimental Whether what may still change is part of it. */
export function surface(experimental: boolean): Surface {
  const rows = Object.entries(methods).map(([name, row]) => ({ ...row, name }));
  const chosen = rows.filter(({ stability }) => experimental || stability === "stable");
  const hidden = experimental ? [] : chosen.flatMap(hiddenFields);
  const types = new Map<string, Schema>();
  const visit = (name: string | null | undefined): void => {
    const text = name ? definitions[name] : undefined;
    if (!name || text === undefined || types.has(name)) return;
    const fields = hidden.filter((each) => each.type === name).map(({ field }) => field);
    const schema = without(JSON.parse(text) as Schema, fields);
    types.set(name, schema);
    for (const reference of references(schema)) visit(reference);
  };
  for (const { params, result } of chosen) {
    visit(params);
    visit(result);
  }
  visit("RequestId");
  return { methods: chosen, types: new Map([...types].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** Fields of a method's params or of what they refer to directly that may still change. */
function hiddenFields({ params, experimentalFields }: Method): { type: string; field: string }[] {
  if (!params) return [];
  return (experimentalFields ?? []).flatMap((path) => {
    const [first = "", second, ...more] = path.split(".");
    if (more.length > 0 || first.includes("=")) return [];
    if (second === undefined) return [{ type: params, field: first.replace(/[[\]{}]/g, "") }];
    const schema = JSON.parse(definitions[params] ?? "{}") as Schema;
    const [owner] = references(schema.properties?.[first.replace(/[[\]{}]/g, "")] ?? {});
    return owner === undefined || second.includes("=") ? [] : [{ type: owner, field: second.replace(/[[\]{}]/g, "") }];
  });
}

function without(schema: Schema, fields: readonly string[]): Schema {
  if (fields.length === 0 || !schema.properties) return schema;
  const kept = Object.entries(schema.properties).filter(([name]) => !fields.includes(name));
  const required = schema.required?.filter((name) => !fields.includes(name));
  return { ...schema, properties: Object.fromEntries(kept), ...(required && { required }) };
}

/** Names of the types that a schema refers to. */
export function references(schema: unknown): string[] {
  const names = new Set<string>();
  JSON.stringify(schema, (key, value: unknown) => {
    if (key === "$ref" && typeof value === "string") names.add(value.slice("#/definitions/".length));
    return value;
  });
  return [...names];
}
