import { groupTypes } from "./groups.ts";
import { resultsOf } from "./results.ts";
import { branchesOf, type Definitions, isNull, type ObjectSchema, refName, refsIn, type Schema } from "./schema.ts";
import { type Scope, scopeOf } from "./scopes.ts";
import { compareStability, type Stability } from "./stability.ts";
import { supplementDefinitions, supplementMethods } from "./supplement.ts";
import type { Kind, Surface, WireMethod } from "./surface.ts";

/** A method with everything that is known of it. */
export interface Method extends WireMethod {
  /** The definition of the result; `null` for a notification. */
  readonly result: string | null;
  readonly experimental: boolean;
  /** Experimental fields of the params of a stable method. */
  readonly experimentalFields: readonly string[];
  readonly scope: Scope;
}

/** Everything that the emitters print. */
export interface Model {
  readonly definitions: Definitions;
  readonly groups: ReadonlyMap<string, string>;
  readonly methods: readonly Method[];
  readonly stability: Stability;
  /** Fields that may be left out of what a server sends, by type. */
  readonly optional: Surface["optional"];
}

/** Joins the stable and the experimental output of one Codex version with our supplement. */
export function buildModel(experimental: Surface, stable: Surface): Model {
  if (experimental.clashes.length > 0) throw new Error(`names with two meanings: ${experimental.clashes.join(", ")}`);
  const definitions = withSupplement(experimental);
  const wire = [...experimental.methods, ...supplementMethods];
  assertComplete(wire, experimental);
  const types = new Set(definitions.keys());
  assertResolved(definitions, wire);
  const results = resultsOf(wire, types);
  const stableDefinitions = new Map([...stable.definitions, ...Object.entries(supplementDefinitions)]);
  const stability = compareStability(definitions, stableDefinitions);
  const stableNames = new Set([...stable.names.values()].flat());
  const methods = wire
    .map((row) => {
      const schema = row.params === null ? undefined : definitions.get(row.params);
      const isExperimental = !stableNames.has(row.method);
      return {
        ...row,
        result: results.get(row.method) ?? null,
        experimental: isExperimental,
        experimentalFields: isExperimental || row.params === null ? [] : stability.experimentalFields(row.params),
        scope: scopeOf(row, typeof schema === "object" ? schema : undefined),
      };
    })
    .sort((a, b) => (a.method < b.method ? -1 : 1));
  return {
    definitions,
    groups: groupTypes(definitions, methodByType(methods)),
    methods,
    stability,
    optional: experimental.optional,
  };
}

function withSupplement({ definitions }: Surface): Map<string, Schema> {
  const all = new Map(definitions);
  for (const [name, schema] of Object.entries(supplementDefinitions)) {
    if (all.has(name)) throw new Error(`Codex now defines ${name} itself: remove it from generator/supplement.ts`);
    all.set(name, schema);
  }
  const strict = unionMembers(all);
  return new Map(
    [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, schema]) => [name, open(name, schema, strict)]),
  );
}

/** Definitions that stand as one branch of a real union, not just beside `null`. */
function unionMembers(definitions: Definitions): Set<string> {
  const members = new Set<string>();
  const visit = (schema: Schema): void => {
    if (typeof schema === "boolean") return;
    const branches = branchesOf(schema).filter((branch) => !isNull(branch));
    if (branches.length > 1) {
      for (const branch of branches) if (typeof branch === "object" && branch.$ref) members.add(refName(branch.$ref));
    }
    for (const part of [...branchesOf(schema), ...Object.values(schema.properties ?? {})]) visit(part);
    if (schema.items !== undefined) visit(schema.items);
    if (schema.additionalProperties !== undefined) visit(schema.additionalProperties);
  };
  for (const schema of definitions.values()) visit(schema);
  return members;
}

/** Drops "no further properties" where no union is decided by it, so that newer peers may add fields. */
function open(name: string, schema: Schema, strict: ReadonlySet<string>): Schema {
  if (typeof schema === "boolean" || strict.has(name) || schema.additionalProperties !== false) return schema;
  const { additionalProperties: _, ...rest } = schema;
  return rest satisfies ObjectSchema;
}

/** The method that a type is the params or result of; the first one by name where there are several. */
function methodByType(methods: readonly Method[]): Map<string, string> {
  const byType = new Map<string, string>();
  for (const { method, params, result } of methods) {
    for (const type of [params, result]) if (type !== null && !byType.has(type)) byType.set(type, method);
  }
  return byType;
}

/** Every method that Codex's TypeScript output lists must be in our table, once, and no other. */
function assertComplete(methods: readonly WireMethod[], surface: Surface): void {
  const seen = new Set<string>();
  for (const { method } of methods) {
    if (seen.has(method)) throw new Error(`${method} is listed twice: is it still needed in generator/supplement.ts?`);
    seen.add(method);
  }
  const ofKind = (kind: Kind): Set<string> =>
    new Set(methods.filter((row) => row.kind === kind).map((row) => row.method));
  for (const [kind, names] of surface.names) {
    const ours = ofKind(kind);
    const missing = names.filter((name) => !ours.has(name));
    const extra = [...ours].filter((name) => !names.includes(name));
    if (missing.length > 0) throw new Error(`${kind}: the schema lacks ${missing.join(", ")}: add to supplement.ts`);
    if (extra.length > 0) throw new Error(`${kind}: Codex's TypeScript output lacks ${extra.join(", ")}`);
  }
}

function assertResolved(definitions: Definitions, methods: readonly WireMethod[]): void {
  const refs = new Set(methods.flatMap(({ params }) => (params === null ? [] : [params])));
  for (const schema of definitions.values()) refsIn(schema, refs);
  const missing = [...refs].filter((name) => !definitions.has(name));
  if (missing.length > 0) throw new Error(`undefined types: ${missing.join(", ")}`);
}
