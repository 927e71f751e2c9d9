import { branchesOf, isNull, type ObjectSchema, refName, type Schema } from "./schema.ts";

const lineWidth = 118;

/** Decides how the parts of one type are printed. */
export interface PrintContext {
  /** Optional fields also accept `undefined`, which callers that build params find convenient. */
  readonly undefinedFields: boolean;
  /** True if a field of the type, or of its variant, is experimental. Only asked at the top level. */
  isExperimental(field: string, variant?: string): boolean;
}

/** A context for nested objects, where nothing is marked. */
export const unmarked = (context: PrintContext): PrintContext => ({ ...context, isExperimental: () => false });

/** A variant of a union that gets a name of its own. */
export interface Variant {
  readonly name: string;
  readonly schema: ObjectSchema;
  /** The value of its discriminating field, or its only field. */
  readonly tag: string;
  /** Its title in the schema, by which the stable output is searched. */
  readonly title: string;
}

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);
const quoteKey = (name: string): string => (isIdentifier(name) ? name : JSON.stringify(name));
/** A union over several lines begins with a line break, and no space before it. */
export const space = (type: string): string => (type.startsWith("\n") ? "" : " ");
const indent = (text: string): string => text.replaceAll("\n", "\n  ");

/** Merges fields that all branches of a union share into one branch. */
export function merge(base: ObjectSchema, branch: ObjectSchema): ObjectSchema {
  return {
    ...branch,
    properties: { ...base.properties, ...branch.properties },
    required: [...(base.required ?? []), ...(branch.required ?? [])],
  };
}

/** The field by which a branch is told from its siblings, where it has one. */
const tagField = (schema: ObjectSchema): string | undefined =>
  Object.entries(schema.properties ?? {}).find(
    ([name, value]) => typeof value === "object" && value.enum?.length === 1 && schema.required?.includes(name),
  )?.[0];

/** Splits a union into its named variants: the branches that are objects with a title. */
export function variantsOf(schema: Schema): Variant[] {
  if (typeof schema === "boolean") return [];
  return branchesOf(schema).flatMap((branch) => {
    if (typeof branch === "boolean" || branch.title === undefined || branch.properties === undefined) return [];
    const name = branch.title.replace("v2::", "");
    if (!isIdentifier(name)) throw new Error(`"${branch.title}" is no name for a type`);
    const field = tagField(branch);
    const value = field === undefined ? undefined : branch.properties[field];
    const tag = typeof value === "object" ? String(value.enum?.[0]) : (branch.required?.[0] ?? name);
    return [{ name, schema: merge(schema, branch), tag, title: branch.title }];
  });
}

/** Prints a schema as a TypeScript type, after `lead` characters on the same line. */
export function printType(schema: Schema, context: PrintContext, lead: number = 0): string {
  return printUnion(alternativesOf(schema, context), lead);
}

/** The members of the union that a schema stands for; most stand for a union of one. */
export function alternativesOf(schema: Schema, context: PrintContext): string[] {
  if (typeof schema === "boolean") return [schema ? "unknown" : "never"];
  if (schema.$ref !== undefined) return [refName(schema.$ref)];
  const branches = branchesOf(schema).flatMap((branch) => alternativesOf(branch, context));
  if (branches.length > 0) {
    if (schema.properties === undefined) return branches;
    return [`${printObject(schema, context)} & (${branches.join(" | ")})`];
  }
  if (schema.allOf !== undefined) return [schema.allOf.map((part) => printType(part, context)).join(" & ")];
  if (schema.const !== undefined) return [JSON.stringify(schema.const)];
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value));
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? "unknown"];
  return types.map((type) => printPlain(type, schema, context));
}

function printPlain(type: string, schema: ObjectSchema, context: PrintContext): string {
  if (type === "object") return printObject(schema, context);
  if (type === "integer") return "number";
  if (type !== "array") return type;
  const items = alternativesOf(schema.items ?? true, unmarked(context));
  return items.length > 1 || items[0]?.includes(" & ") ? `(${printUnion(items)})[]` : `${items[0]}[]`;
}

/** Prints the members of an object type, braces included. */
export function printObject(schema: ObjectSchema, context: PrintContext, variant?: string): string {
  const lead = [tagField(schema), "id"];
  const rank = (name: string): number => (lead.includes(name) ? lead.indexOf(name) : lead.length);
  const fields = Object.entries(schema.properties ?? {}).sort(([a], [b]) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const rest = restOf(schema, fields.length);
  if (fields.length === 0) return rest === undefined ? "{ [key: string]: unknown }" : `{ ${rest} }`;
  const lines = fields.map(([name, value]) => {
    const required = schema.required?.includes(name) === true;
    const type = printType(value, unmarked(context), name.length + 6);
    const loose = !required && context.undefinedFields && type !== "unknown" ? " | undefined" : "";
    const mark = context.isExperimental(name, variant) ? "/** @experimental */\n  " : "";
    return `  ${mark}${quoteKey(name)}${required ? "" : "?"}:${space(type)}${indent(type)}${loose};`;
  });
  if (rest !== undefined) lines.push(`  ${rest};`);
  return `{\n${lines.join("\n")}\n}`;
}

function restOf(schema: ObjectSchema, fields: number): string | undefined {
  const rest = schema.additionalProperties;
  if (rest === undefined || rest === false) return undefined;
  // Beside named fields an index signature must hold for these too.
  if (rest === true || fields > 0) return "[key: string]: unknown";
  const type = printType(rest, { undefinedFields: false, isExperimental: () => false });
  return `[key: string]: ${indent(type)}`;
}

/** Joins alternatives, on one line where they fit. */
export function printUnion(parts: readonly string[], lead: number = 0): string {
  const hasLiterals = parts.some((part) => part.startsWith('"'));
  // A bare `string` would swallow the literals beside it, and with them the editor's completion.
  const members = [...new Set(parts)].map((part) => (hasLiterals && part === "string" ? "(string & {})" : part));
  const oneLine = members.join(" | ");
  const fits = lead + oneLine.length <= lineWidth && !oneLine.includes("\n");
  if (fits || members.length === 1 || (members.length === 2 && members[1] === "null")) return oneLine;
  return members.map((member) => `\n  | ${indent(indent(member))}`).join("");
}

/** True for an object schema with nothing but fields, which can be printed as an interface. */
export const isPlainObject = (schema: Schema): schema is ObjectSchema =>
  typeof schema === "object" &&
  schema.$ref === undefined &&
  schema.type === "object" &&
  branchesOf(schema).length === 0 &&
  Object.keys(schema.properties ?? {}).length > 0 &&
  !isNull(schema);
