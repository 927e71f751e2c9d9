import { type ObjectSchema, refName, type Schema } from "./schema.ts";

/** Looks up a definition by name. */
export type Resolve = (name: string) => Schema;

/** A union with branches that differ by the value of one field. */
export interface Discriminator {
  readonly field: string;
  /** The branch for each value of the field. */
  readonly branches: ReadonlyMap<string, Schema>;
}

/** Follows references to the schema itself. */
export function deref(schema: Schema, resolve: Resolve): Schema {
  let target = schema;
  while (typeof target === "object" && target.$ref !== undefined) target = resolve(refName(target.$ref));
  return target;
}

/** The one string that a schema allows, where it allows exactly one. */
function onlyValue(schema: Schema | undefined, resolve: Resolve): string | undefined {
  const target = schema === undefined ? true : deref(schema, resolve);
  if (typeof target === "boolean") return undefined;
  const value = target.const ?? (target.enum?.length === 1 ? target.enum[0] : undefined);
  return typeof value === "string" ? value : undefined;
}

/** Finds the field that tells the branches of a union apart: in all required, with one value, no two alike. */
export function findDiscriminator(branches: readonly Schema[], resolve: Resolve): Discriminator | undefined {
  const targets = branches.map((branch) => deref(branch, resolve));
  const objects = targets.filter((target): target is ObjectSchema => typeof target === "object");
  const [first] = objects;
  if (first === undefined || branches.length < 2 || objects.length !== branches.length) return undefined;
  for (const field of first.required ?? []) {
    const map = new Map<string, Schema>();
    for (const [index, target] of objects.entries()) {
      const value = target.required?.includes(field) ? onlyValue(target.properties?.[field], resolve) : undefined;
      const branch = branches[index];
      if (value === undefined || branch === undefined || map.has(value)) break;
      map.set(value, branch);
    }
    if (map.size === branches.length) return { field, branches: map };
  }
  return undefined;
}
