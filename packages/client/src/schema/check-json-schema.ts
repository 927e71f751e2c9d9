import { linearPattern } from "@quire/protocol/pattern";
import { isEqual, isObject, typeOf } from "./json-value.ts";
import { resolveRef } from "./resolve-ref.ts";

/** A reason why a value does not fit a JSON Schema. */
export interface JsonSchemaIssue {
  readonly keys: readonly PropertyKey[];
  readonly message: string;
}

/** Nesting beyond this is a reference that leads to itself. */
const mostDepth = 500;
/** More issues than this help nobody. */
const mostIssues = 20;

/** Options of {@link checkJsonSchema}. */
export interface CheckOptions {
  /** The schema in which references are looked up, where that is not the schema itself. */
  readonly root?: unknown;
}

/**
 * Lists why a value does not fit a JSON Schema; an empty list means that it fits.
 *
 * It knows the validating keywords of draft-07 and 2020-12 but for `contains`, `dependentSchemas`, `unevaluated…`,
 * anchors, and references to other documents. `format` is a remark, as the specification has it by default.
 */
export function checkJsonSchema(schema: unknown, value: unknown, options: CheckOptions = {}): JsonSchemaIssue[] {
  const checker = new Checker(options.root ?? schema);
  checker.check(schema, value, []);
  return checker.issues.slice(0, mostIssues);
}

type Keys = readonly PropertyKey[];

class Checker {
  readonly issues: JsonSchemaIssue[] = [];
  readonly #root: unknown;
  #depth = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  check(schema: unknown, value: unknown, keys: Keys): void {
    if (schema === false) this.#add(keys, "nothing is allowed here");
    if (this.#depth > mostDepth) this.#add(keys, "the schema refers to itself without end");
    if (!isObject(schema) || this.#depth > mostDepth || this.issues.length >= mostIssues) return;
    this.#depth += 1;
    if (schema.$ref !== undefined) this.#checkRef(schema.$ref, value, keys);
    if (this.#checkKind(schema, value, keys)) {
      if (typeof value === "string") this.#checkString(schema, value, keys);
      if (typeof value === "number") this.#checkNumber(schema, value, keys);
      if (Array.isArray(value)) this.#checkArray(schema, value, keys);
      if (isObject(value)) this.#checkObject(schema, value, keys);
      this.#checkCombined(schema, value, keys);
    }
    this.#depth -= 1;
  }

  #add(keys: Keys, message: string): void {
    this.issues.push({ keys, message });
  }

  #fits(schema: unknown, value: unknown): boolean {
    const inner = new Checker(this.#root);
    inner.#depth = this.#depth;
    inner.check(schema, value, []);
    return inner.issues.length === 0;
  }

  #checkRef(ref: unknown, value: unknown, keys: Keys): void {
    const target = resolveRef(this.#root, ref);
    if (target === undefined) this.#add(keys, `the schema's reference ${String(ref)} leads nowhere`);
    else this.check(target, value, keys);
  }

  /** Type and literals. Where they do not fit, the rest would only repeat it. */
  #checkKind(schema: Record<string, unknown>, value: unknown, keys: Keys): boolean {
    const before = this.issues.length;
    const types = list(schema.type);
    const actual = typeOf(value);
    if (types.length > 0 && !types.includes(actual) && !(actual === "integer" && types.includes("number"))) {
      this.#add(keys, `expected ${types.join(" or ")}, got ${value === undefined ? "nothing" : actual}`);
    } else if (Array.isArray(schema.enum) && !schema.enum.some((item) => isEqual(item, value))) {
      this.#add(keys, `expected one of ${schema.enum.map((item) => JSON.stringify(item)).join(", ")}`);
    } else if ("const" in schema && !isEqual(schema.const, value)) {
      this.#add(keys, `expected ${JSON.stringify(schema.const)}`);
    }
    return this.issues.length === before;
  }

  #checkString(schema: Record<string, unknown>, value: string, keys: Keys): void {
    this.#checkSize(schema, "Length", "characters", { size: [...value].length, keys });
    const { pattern } = schema;
    if (typeof pattern === "string" && !matches(pattern, value)) this.#add(keys, `must match ${pattern}`);
  }

  #checkNumber(schema: Record<string, unknown>, value: number, keys: Keys): void {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    if (typeof minimum === "number" && value < minimum) this.#add(keys, `must be at least ${minimum}`);
    if (typeof maximum === "number" && value > maximum) this.#add(keys, `must be at most ${maximum}`);
    if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
      this.#add(keys, `must be greater than ${exclusiveMinimum}`);
    if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
      this.#add(keys, `must be less than ${exclusiveMaximum}`);
    if (typeof multipleOf === "number" && !isMultiple(value, multipleOf))
      this.#add(keys, `must be a multiple of ${multipleOf}`);
  }

  #checkSize(
    schema: Record<string, unknown>,
    suffix: string,
    unit: string,
    { size, keys }: { readonly size: number; readonly keys: Keys },
  ): void {
    const least = schema[`min${suffix}`];
    const most = schema[`max${suffix}`];
    if (typeof least === "number" && size < least) this.#add(keys, `must have at least ${least} ${unit}`);
    if (typeof most === "number" && size > most) this.#add(keys, `must have at most ${most} ${unit}`);
  }

  #checkArray(schema: Record<string, unknown>, value: readonly unknown[], keys: Keys): void {
    this.#checkSize(schema, "Items", "items", { size: value.length, keys });
    if (schema.uniqueItems === true && value.some((item, at) => value.slice(0, at).some((one) => isEqual(one, item))))
      this.#add(keys, "items must differ from each other");
    // A tuple is `prefixItems` with `items` for the rest, or, in draft-07, an array of `items` with `additionalItems`.
    const [first, rest] = Array.isArray(schema.items)
      ? [schema.items, schema.additionalItems]
      : [Array.isArray(schema.prefixItems) ? schema.prefixItems : [], schema.items];
    for (const [index, item] of value.entries()) {
      this.check(index < first.length ? first[index] : rest, item, [...keys, index]);
    }
  }

  #checkObject(schema: Record<string, unknown>, value: Record<string, unknown>, keys: Keys): void {
    const names = Object.keys(value).filter((name) => value[name] !== undefined);
    this.#checkSize(schema, "Properties", "properties", { size: names.length, keys });
    for (const name of list(schema.required)) if (!names.includes(name)) this.#add([...keys, name], "is missing");
    const properties = isObject(schema.properties) ? schema.properties : {};
    const patterns = isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
    for (const name of names) {
      const inner = [...keys, name];
      const known = Object.hasOwn(properties, name) ? [properties[name]] : [];
      for (const [pattern, part] of patterns) if (matches(pattern, name)) known.push(part);
      for (const part of known) this.check(part, value[name], inner);
      if (known.length === 0 && schema.additionalProperties === false) this.#add(inner, "is not a known property");
      else if (known.length === 0) this.check(schema.additionalProperties, value[name], inner);
      if (schema.propertyNames !== undefined && !this.#fits(schema.propertyNames, name))
        this.#add(inner, "has a name that is not allowed");
    }
    for (const [name, needed] of Object.entries(isObject(schema.dependentRequired) ? schema.dependentRequired : {})) {
      const missing = names.includes(name) ? list(needed).filter((other) => !names.includes(other)) : [];
      for (const other of missing) this.#add([...keys, other], `is missing beside ${name}`);
    }
  }

  #checkCombined(schema: Record<string, unknown>, value: unknown, keys: Keys): void {
    const { allOf, anyOf, oneOf } = schema;
    if (Array.isArray(allOf)) for (const part of allOf) this.check(part, value, keys);
    if (Array.isArray(anyOf) && !anyOf.some((part) => this.#fits(part, value))) this.#explain(anyOf, value, keys);
    if (Array.isArray(oneOf)) {
      const fitting = oneOf.filter((part) => this.#fits(part, value)).length;
      if (fitting === 0) this.#explain(oneOf, value, keys);
      if (fitting > 1) this.#add(keys, "fits several alternatives, but may fit only one");
    }
    if (schema.not !== undefined && this.#fits(schema.not, value)) this.#add(keys, "is what the schema excludes");
    if (schema.if !== undefined) this.check(this.#fits(schema.if, value) ? schema.then : schema.else, value, keys);
  }

  /** Names the faults of the alternative that comes nearest: the one whose first fault lies deepest. */
  #explain(alternatives: readonly unknown[], value: unknown, keys: Keys): void {
    const attempts = alternatives.map((part) => {
      const inner = new Checker(this.#root);
      inner.#depth = this.#depth;
      inner.check(part, value, keys);
      return inner.issues;
    });
    const depth = (issues: readonly JsonSchemaIssue[]) => Math.min(...issues.map((issue) => issue.keys.length));
    const deepest = Math.max(...attempts.map(depth));
    const nearest = attempts.filter((issues) => depth(issues) === deepest);
    if (nearest.length === 1 && deepest > keys.length) this.issues.push(...(nearest[0] ?? []));
    else this.#add(keys, `fits none of ${alternatives.length} alternatives: ${summary(attempts)}`);
  }
}

const summary = (attempts: readonly (readonly JsonSchemaIssue[])[]): string =>
  [...new Set(attempts.map(([first]) => first?.message ?? ""))].slice(0, 5).join("; ");

const list = (value: unknown): string[] =>
  typeof value === "string" ? [value] : Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];

/** A remainder up to rounding: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

/** Texts that a pattern is tried on which has to go back and forth, and may take very long for a text that fits almost. */
const maxTriedLength = 1000;

/** Texts are a model's, so the pattern is matched in one pass where that is possible. A longer one fits no other pattern. */
function matches(pattern: string, text: string): boolean {
  const linear = linearPattern(pattern);
  if (linear) return linear.test(text);
  if (text.length > maxTriedLength) return false;
  try {
    return new RegExp(pattern, "u").test(text);
  } catch {
    // Not every pattern in use is one under the `u` flag: it forbids needless escapes.
    return new RegExp(pattern).test(text);
  }
}
