import { printValue } from "./emit-methods.ts";
import { banner } from "./emit-types.ts";
import type { Model } from "./model.ts";
import { branchesOf, isNull, type ObjectSchema, refName, type Schema } from "./schema.ts";

/** Mirrors `DefaultShape` of the package. */
interface DefaultShape {
  readonly null?: readonly string[];
  readonly false?: readonly string[];
  readonly in?: { readonly [field: string]: string };
  readonly by?: string;
  readonly variants?: { readonly [tag: string]: DefaultShape };
}

/** Fields with an underscore in a type whose others have none: Codex's schema spells them so, its server does not. */
const isMisspelt = (type: string, field: string): boolean => type === "ThreadTimelineEntry" && field.includes("_");

/** Prints, for every type that a server sends, the fields that Codex sends even if nothing is known of them. */
export function emitDefaults(model: Model): string {
  const shapes = new Map(
    [...model.definitions].map(([name, schema]) => {
      const optional = model.optional.get(name);
      return [name, shapeOf(schema, (field) => optional?.has(field) === true || isMisspelt(name, field))] as const;
    }),
  );
  const kept = reachingDefaults(shapes, sentByServer(model));
  const rows = [...kept].map(([name, shape]) => `  ${name}: ${printValue(shape)},`);
  return [
    banner,
    'import type { DefaultShape } from "../lib/default-shape.ts";\n',
    "/** The fields that are always sent, by type. A type that is not here has none, and holds none that has. */",
    `export const defaultShapes: { readonly [type: string]: DefaultShape } = {\n${rows.join("\n")}\n};\n`,
  ].join("\n");
}

function shapeOf(schema: Schema, isOptional: (field: string) => boolean): DefaultShape {
  if (typeof schema === "boolean") return {};
  const missing = Object.entries(schema.properties ?? {}).filter(
    ([field]) => schema.required?.includes(field) !== true,
  );
  const nulls = missing.flatMap(([field, value]) => (isSentAsNull(value, !isOptional(field)) ? [field] : []));
  const falses = missing.flatMap(([field, value]) =>
    typeof value === "object" && value.default === false ? [field] : [],
  );
  const held = Object.entries(schema.properties ?? {}).flatMap(([field, value]) => {
    const name = heldBy(value);
    return name === undefined ? [] : [[field, name]];
  });
  return {
    ...(nulls.length > 0 && { null: nulls }),
    ...(falses.length > 0 && { false: falses }),
    ...(held.length > 0 && { in: Object.fromEntries(held) }),
    ...variantShapes(schema, isOptional),
  };
}

function isSentAsNull(value: Schema, isAlwaysThere: boolean): boolean {
  if (typeof value === "boolean") return false;
  const isNullable = [value.type].flat().includes("null") || branchesOf(value).some(isNull);
  return isNullable && (isAlwaysThere || value.default === null);
}

/** The type that a field holds, by itself, in a list or in a map. */
function heldBy(value: Schema): string | undefined {
  if (typeof value === "boolean") return undefined;
  if (value.$ref !== undefined) return refName(value.$ref);
  if (value.items !== undefined) return heldBy(value.items);
  if (value.additionalProperties !== undefined) {
    const inner = heldBy(value.additionalProperties);
    return inner === undefined ? undefined : `${inner}{}`;
  }
  const parts = [...branchesOf(value), ...(value.allOf ?? [])].filter((part) => !isNull(part));
  return parts.length === 1 && parts[0] !== undefined ? heldBy(parts[0]) : undefined;
}

/** Variants that a field with one value tells apart, or a key that only one of them has. */
function variantShapes(
  schema: ObjectSchema,
  isOptional: (field: string) => boolean,
): Pick<DefaultShape, "by" | "variants"> {
  const branches = branchesOf(schema).flatMap((branch) =>
    typeof branch === "object" && branch.properties !== undefined ? [branch] : [],
  );
  const by = tagField(branches) ?? "";
  const variants = branches.flatMap((branch) => {
    const tag = by === "" ? branch.required?.[0] : onlyValue(branch.properties?.[by]);
    return tag === undefined ? [] : [[tag, shapeOf(branch, isOptional)]];
  });
  return variants.length === 0 ? {} : { by, variants: Object.fromEntries(variants) };
}

const onlyValue = (value: Schema | undefined): string | undefined =>
  typeof value === "object" && value.enum?.length === 1 ? String(value.enum[0]) : undefined;

function tagField(branches: readonly ObjectSchema[]): string | undefined {
  const [first] = branches;
  return Object.keys(first?.properties ?? {}).find((field) =>
    branches.every(({ properties }) => onlyValue(properties?.[field]) !== undefined),
  );
}

function sentByServer({ methods }: Model): string[] {
  return methods.flatMap(({ kind, params, result }) => {
    const sent = kind === "clientRequest" ? result : kind === "clientNotification" ? null : params;
    return sent === null ? [] : [sent];
  });
}

/** Types reachable from the server's messages, without those that lead to no default. */
function reachingDefaults(
  shapes: ReadonlyMap<string, DefaultShape>,
  roots: readonly string[],
): Map<string, DefaultShape> {
  const reached = new Set<string>();
  const visit = (name: string): void => {
    const shape = shapes.get(name);
    if (reached.has(name) || shape === undefined) return;
    reached.add(name);
    for (const inner of heldIn(shape)) visit(inner);
  };
  for (const root of roots) visit(root);
  const useful = new Set<string>();
  for (let size = -1; size !== useful.size; ) {
    size = useful.size;
    for (const name of reached) if (isUseful(shapes.get(name) ?? {}, useful)) useful.add(name);
  }
  return new Map([...useful].sort().map((name) => [name, pruned(shapes.get(name) ?? {}, useful)]));
}

const heldIn = (shape: DefaultShape): string[] => [
  ...Object.values(shape.in ?? {}).map((name) => name.replace("{}", "")),
  ...Object.values(shape.variants ?? {}).flatMap(heldIn),
];

const isUseful = (shape: DefaultShape, useful: ReadonlySet<string>): boolean =>
  shape.null !== undefined ||
  shape.false !== undefined ||
  Object.values(shape.in ?? {}).some((name) => useful.has(name.replace("{}", ""))) ||
  Object.values(shape.variants ?? {}).some((variant) => isUseful(variant, useful));

function pruned(shape: DefaultShape, useful: ReadonlySet<string>): DefaultShape {
  const { in: held, variants, by, ...rest } = shape;
  const kept = Object.entries(held ?? {}).filter(([, name]) => useful.has(name.replace("{}", "")));
  const keptVariants = Object.entries(variants ?? {}).filter(([, variant]) => isUseful(variant, useful));
  return {
    ...rest,
    ...(kept.length > 0 && { in: Object.fromEntries(kept) }),
    ...(keptVariants.length > 0 &&
      by !== undefined && {
        by,
        variants: Object.fromEntries(keptVariants.map(([tag, variant]) => [tag, pruned(variant, useful)])),
      }),
  };
}
