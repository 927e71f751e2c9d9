import { type Check, type CompileContext, compile } from "./compile.ts";
import { explain, type Issue } from "./explain.ts";
import type { Schema } from "./schema.ts";

/** The verdict on a value. */
export type Validation = { readonly ok: true } | { readonly ok: false; readonly issues: readonly Issue[] };

/** Options for the wording of messages. */
export interface ValidateOptions {
  /** Put before the path in messages. */
  readonly label?: string;
  /** The name of the value itself, with which every path begins; default `value`. */
  readonly root?: string;
}

/** Validates values against a set of named schemas. */
export interface Validator {
  /** True if there is a definition of this name. */
  has(name: string): boolean;
  /** The schema of a definition. */
  schema(name: string): Schema;
  /** Checks a value against a definition, which is compiled on first use. */
  validate(name: string, value: unknown, options?: ValidateOptions): Validation;
}

/** The verdict on every value that fits: one object, so that saying yes allocates nothing. */
export const valid: Validation = Object.freeze({ ok: true });

/**
 * Makes a validator of JSON texts by name. Nothing is parsed or compiled before it is needed.
 *
 * It knows the part of draft-07 that the Codex protocol uses, and differs from it in two ways: `oneOf` accepts a value
 * that fits several branches, and a field that is `undefined` counts as absent.
 */
export function createValidator(definitions: { readonly [name: string]: string }): Validator {
  const schemas = new Map<string, Schema>();
  const checks = new Map<string, Check>();

  const resolve = (name: string): Schema => {
    const known = schemas.get(name);
    if (known !== undefined) return known;
    const text = Object.hasOwn(definitions, name) ? definitions[name] : undefined;
    if (text === undefined) throw new TypeError(`no definition is called ${name}`);
    const schema = JSON.parse(text) as Schema;
    schemas.set(name, schema);
    return schema;
  };
  const check = (name: string): Check => {
    const known = checks.get(name);
    if (known !== undefined) return known;
    const compiled = compile(resolve(name), context);
    checks.set(name, compiled);
    return compiled;
  };
  const context: CompileContext = { resolve, check };

  return {
    has: (name) => Object.hasOwn(definitions, name),
    schema: resolve,
    validate(name, value, options) {
      if (check(name)(value)) return valid;
      const { label = "", root = "value" } = options ?? {};
      return { ok: false, issues: explain(resolve(name), value, { context, label, root }) };
    },
  };
}
