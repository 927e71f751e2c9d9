import { branchesOf, type Definitions, type ObjectSchema, refName, type Schema } from "./schema.ts";

/** Types and fields that the stable output of Codex lacks; clients get them after asking for the experimental API. */
export interface Stability {
  /** True if the whole type is experimental. */
  isExperimentalType(name: string): boolean;
  /** True if the field of a type, or of one variant of it, is experimental. */
  isExperimentalField(type: string, field: string, variant?: string): boolean;
  /**
   * Paths of all experimental fields in a type, through the types that it refers to: `a.b`, `list[].c`, `map{}.d`, and
   * `kind=x` for a union branch that is experimental as a whole.
   */
  experimentalFields(type: string): string[];
}

const objectOf = (schema: Schema | undefined): ObjectSchema | undefined =>
  typeof schema === "object" ? schema : undefined;

/** Marks of a union branch: `field=value` of its one-valued fields, else its required fields. */
function marksOf(branch: ObjectSchema): string[] {
  const tags = Object.entries(branch.properties ?? {}).flatMap(([name, value]) =>
    typeof value === "object" && value.enum?.length === 1 ? [`${name}=${String(value.enum[0])}`] : [],
  );
  return tags.length > 0 ? tags : (branch.required ?? []);
}

/** A union branch is known by its title, and failing that by its marks. */
function branchKey(branch: Schema): string {
  if (typeof branch === "boolean") return String(branch);
  return branch.title ?? (branch.properties === undefined ? JSON.stringify(branch) : marksOf(branch).join());
}

/** Compares the two outputs of one Codex version. */
export function compareStability(experimental: Definitions, stable: Definitions): Stability {
  const branchIn = (schema: ObjectSchema | undefined, key: string): ObjectSchema | undefined =>
    schema === undefined ? undefined : objectOf(branchesOf(schema).find((branch) => branchKey(branch) === key));

  const isExperimentalField = (type: string, field: string, variant?: string): boolean => {
    const whole = objectOf(stable.get(type));
    if (whole === undefined) return false; // The type says it already.
    const part = variant === undefined ? undefined : branchIn(whole, variant);
    if (variant !== undefined && part === undefined) return true;
    return whole.properties?.[field] === undefined && part?.properties?.[field] === undefined;
  };

  /** Walks a schema beside its stable counterpart. */
  const walk = (
    schema: Schema,
    counterpart: ObjectSchema | undefined,
    path: string,
    seen: readonly string[],
  ): string[] => {
    if (typeof schema === "boolean") return [];
    if (schema.$ref !== undefined) {
      const name = refName(schema.$ref);
      const target = experimental.get(name);
      if (seen.includes(name) || target === undefined || !stable.has(name)) return [];
      return walk(target, objectOf(stable.get(name)), path, [...seen, name]);
    }
    const found: string[] = [];
    for (const [name, value] of Object.entries(schema.properties ?? {})) {
      const fieldPath = path === "" ? name : `${path}.${name}`;
      const before = counterpart?.properties?.[name];
      if (before === undefined) found.push(fieldPath);
      else found.push(...walk(value, objectOf(before), fieldPath, seen));
    }
    for (const branch of [...branchesOf(schema), ...(schema.allOf ?? [])]) {
      const before = branchIn(counterpart, branchKey(branch));
      if (typeof branch === "object" && branch.properties !== undefined && before === undefined) {
        found.push(...marksOf(branch).map((mark) => (path === "" ? mark : `${path}.${mark}`)));
        continue;
      }
      found.push(...walk(branch, before, path, seen));
    }
    if (schema.items !== undefined) found.push(...walk(schema.items, objectOf(counterpart?.items), `${path}[]`, seen));
    if (schema.additionalProperties !== undefined) {
      found.push(...walk(schema.additionalProperties, objectOf(counterpart?.additionalProperties), `${path}{}`, seen));
    }
    return found;
  };

  return {
    isExperimentalType: (name) => !stable.has(name),
    isExperimentalField,
    experimentalFields: (type) => [...new Set(walk({ $ref: `#/definitions/${type}` }, undefined, "", []))].sort(),
  };
}
