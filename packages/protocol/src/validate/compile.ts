import { findDiscriminator, type Resolve } from "./discriminator.ts";
import { integerBounds, isObject, type ObjectSchema, refName, type Schema } from "./schema.ts";

/** Tells whether a value fits. Allocates nothing. */
export type Check = (value: unknown) => boolean;

/** Definitions that a schema is compiled against, and their checks, each compiled on first call. */
export interface CompileContext {
  readonly resolve: Resolve;
  check(name: string): Check;
}

const always: Check = () => true;
const never: Check = () => false;

/** Joins checks that must all hold. */
function all(checks: readonly Check[]): Check {
  const [first, second] = checks;
  if (first === undefined) return always;
  if (second === undefined) return first;
  if (checks.length === 2) return (value) => first(value) && second(value);
  return (value) => {
    for (let index = 0; index < checks.length; index += 1) if (!(checks[index] as Check)(value)) return false;
    return true;
  };
}

/** Joins checks of which one must hold. `oneOf` stops at the first that holds: that no other does is not verified. */
function any(checks: readonly Check[]): Check {
  const [first, second] = checks;
  if (first === undefined) return never;
  if (second === undefined) return first;
  if (checks.length === 2) return (value) => first(value) || second(value);
  return (value) => {
    for (let index = 0; index < checks.length; index += 1) if ((checks[index] as Check)(value)) return true;
    return false;
  };
}

const typeChecks: { readonly [type: string]: Check } = {
  string: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: (value) => Array.isArray(value),
  object: isObject,
};

/** Builds the check of a schema out of closures; no code is generated, so any content security policy allows it. */
export function compile(schema: Schema, context: CompileContext): Check {
  if (typeof schema === "boolean") return schema ? always : never;
  const checks: Check[] = [];
  if (schema.$ref !== undefined) checks.push(compileRef(refName(schema.$ref), context));
  if (schema.type !== undefined) {
    const types = typeof schema.type === "string" ? [schema.type] : schema.type;
    checks.push(any(types.map((type) => typeChecks[type] ?? never)));
  }
  const constant = schema.const;
  if (constant !== undefined) checks.push((value) => value === constant);
  if (schema.enum !== undefined) checks.push(compileEnum(schema.enum));
  compileNumber(schema, checks);
  compileString(schema, checks);
  compileObject(schema, context, checks);
  if (schema.items !== undefined) checks.push(compileItems(compile(schema.items, context)));
  for (const union of [schema.oneOf, schema.anyOf]) {
    if (union !== undefined) checks.push(compileUnion(union, context));
  }
  for (const part of schema.allOf ?? []) checks.push(compile(part, context));
  return all(checks);
}

/** Looks the definition up when first called, so that definitions may refer to themselves and to each other. */
function compileRef(name: string, context: CompileContext): Check {
  let target: Check | undefined;
  return (value) => {
    target ??= context.check(name);
    return target(value);
  };
}

function compileEnum(values: readonly (string | number | boolean | null)[]): Check {
  const [only] = values;
  if (values.length === 1) return (value) => value === only;
  const set = new Set<unknown>(values);
  return (value) => set.has(value);
}

function compileNumber({ minimum, format }: ObjectSchema, checks: Check[]): void {
  if (minimum !== undefined) checks.push((value) => typeof value !== "number" || value >= minimum);
  const bounds = format === undefined ? undefined : integerBounds[format];
  if (bounds === undefined) return;
  const [least, most] = bounds;
  checks.push((value) => typeof value !== "number" || (value >= least && value <= most));
}

function compileString({ minLength }: ObjectSchema, checks: Check[]): void {
  if (minLength !== undefined) checks.push((value) => typeof value !== "string" || countsAtLeast(value, minLength));
}

/** Length in characters, as JSON Schema counts them: a surrogate pair is one. */
function countsAtLeast(text: string, least: number): boolean {
  let count = 0;
  for (let index = 0; index < text.length && count < least; index += 1) {
    const pair = (text.codePointAt(index) ?? 0) > 0xffff;
    if (pair) index += 1;
    count += 1;
  }
  return count >= least;
}

function compileItems(item: Check): Check {
  return (value) => {
    if (!Array.isArray(value)) return true;
    for (let index = 0; index < value.length; index += 1) if (!item(value[index])) return false;
    return true;
  };
}

function compileObject(schema: ObjectSchema, context: CompileContext, checks: Check[]): void {
  const properties = schema.properties ?? {};
  const required = new Set(schema.required);
  const names = [...new Set([...required, ...Object.keys(properties)])];
  // Each is compiled when a value first has it: most params name few of many fields.
  const fields: (Check | undefined)[] = names.map(() => undefined);
  const fieldAt = (index: number): Check => {
    const check = compile(properties[names[index] as string] ?? true, context);
    fields[index] = check;
    return check;
  };
  const needed = names.map((name) => required.has(name));
  if (names.length > 0) {
    checks.push((value) => {
      if (!isObject(value)) return true;
      for (let index = 0; index < names.length; index += 1) {
        const field = value[names[index] as string];
        // A field that is `undefined` will not travel, so it counts as absent.
        if (field === undefined ? needed[index] : !(fields[index] ?? fieldAt(index))(field)) return false;
      }
      return true;
    });
  }
  if (schema.additionalProperties === undefined || schema.additionalProperties === true) return;
  const known = new Set(Object.keys(properties));
  const rest = compile(schema.additionalProperties, context);
  checks.push((value) => {
    if (!isObject(value)) return true;
    for (const name in value) if (!known.has(name) && value[name] !== undefined && !rest(value[name])) return false;
    return true;
  });
}

function compileUnion(branches: readonly Schema[], context: CompileContext): Check {
  const discriminator = findDiscriminator(branches, context.resolve);
  if (discriminator === undefined) return any(branches.map((branch) => compile(branch, context)));
  const { field } = discriminator;
  const byValue = new Map<unknown, Check>();
  const branchOf = (value: unknown): Check => {
    const branch = (discriminator.branches as ReadonlyMap<unknown, Schema>).get(value);
    // Not kept: a stranger may send any number of values.
    if (branch === undefined) return never;
    const check = compile(branch, context);
    byValue.set(value, check);
    return check;
  };
  return (value) => isObject(value) && (byValue.get(value[field]) ?? branchOf(value[field]))(value);
}
