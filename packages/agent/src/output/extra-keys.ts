import type { JsonSchema } from "@quire/client";
import type { SchemaIssue } from "@quire/client/schemas";

type Schema = Readonly<Record<string, unknown>>;

/**
 * Lists keys that a strict schema does not know. Schema libraries drop such keys silently, and a model that invents
 * some has mostly misunderstood the task.
 */
export function extraKeys(root: JsonSchema, value: unknown): SchemaIssue[] {
  const visit = (schema: unknown, inner: unknown, path: string): SchemaIssue[] => {
    if (!isObject(schema)) return [];
    if (typeof schema.$ref === "string") return visit(resolve(root, schema.$ref), inner, path);
    if (Array.isArray(schema.anyOf)) return fewest(schema.anyOf.map((branch) => visitFitting(branch, inner, path)));
    if (Array.isArray(inner)) return inner.flatMap((item, index) => visit(schema.items, item, `${path}[${index}]`));
    if (!isObject(inner) || !isObject(schema.properties)) return [];
    const { properties } = schema;
    return Object.entries(inner).flatMap(([key, each]) => {
      const place = path === "" ? key : `${path}.${key}`;
      if (!Object.hasOwn(properties, key)) return [{ path: place, message: "is not a known property" }];
      return visit(properties[key], each, place);
    });
  };
  /** An alternative of another kind, such as null beside an object, knows nothing of the value's keys. */
  const visitFitting = (branch: unknown, inner: unknown, path: string): SchemaIssue[] | undefined => {
    const target = isObject(branch) && typeof branch.$ref === "string" ? resolve(root, branch.$ref) : branch;
    const isFitting = !isObject(target) || target.type === undefined || target.type === typeOf(inner);
    return isFitting ? visit(target, inner, path) : undefined;
  };
  return visit(root, value, "");
}

function fewest(attempts: readonly (SchemaIssue[] | undefined)[]): SchemaIssue[] {
  const known = attempts.filter((issues) => issues !== undefined);
  return known.reduce<SchemaIssue[]>((best, each, at) => (at === 0 || each.length < best.length ? each : best), []);
}

function resolve(root: unknown, ref: string): unknown {
  return ref
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, part) => (isObject(at) ? at[part] : undefined), root);
}

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);
