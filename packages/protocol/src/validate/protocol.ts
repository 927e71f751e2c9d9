import type { MethodName, RequestName } from "../generated/method-types.ts";
import { definitions } from "../generated/schemas.ts";
import type { MethodRow } from "../lib/method-row.ts";
import { methodRow } from "../methods/methods.ts";
import type { Schema } from "./schema.ts";
import { createValidator, type Validation, type Validator, valid } from "./validator.ts";

let protocol: Validator | undefined;
const validator = (): Validator => {
  protocol ??= createValidator(definitions);
  return protocol;
};

function fail(method: string, path: string, expected: string, received: string): Validation {
  const message = `${method} ${path}: expected ${expected}, got ${received}`;
  return { ok: false, issues: [{ path, expected, received, message }] };
}

const unknownMethod = (method: string): Validation => fail(method, "method", "a known method", JSON.stringify(method));

/**
 * Checks the params of any request or notification, of either side. Unknown fields are accepted, and so is whatever is
 * sent to a method that takes no params: Codex ignores it, and clients do send `{}`.
 */
export function validateParams(method: MethodName | (string & {}), params: unknown): Validation {
  const row: MethodRow | undefined = methodRow(method);
  if (row === undefined) return unknownMethod(method);
  if (row.params === null) return valid;
  if ((params === undefined || params === null) && row.optional === true) return valid;
  return validator().validate(row.params, params, { label: method, root: "params" });
}

/** Checks the result of any request, of either side. Unknown fields are accepted. */
export function validateResult(method: RequestName | (string & {}), result: unknown): Validation {
  const row: MethodRow | undefined = methodRow(method);
  if (row === undefined) return unknownMethod(method);
  if (row.result === null) return fail(method, "method", "a request", "a notification");
  return validator().validate(row.result, result, { label: method, root: "result" });
}

/** Checks a value against any wire type by its name, such as `ThreadItem`. Throws for a name that no type has. */
export function validateType(name: string, value: unknown): Validation {
  return validator().validate(name, value, { root: name });
}

/** True if there is a wire type of this name. */
export const hasType = (name: string): boolean => validator().has(name);

/** Names of all wire types. */
export const typeNames = (): string[] => Object.keys(definitions);

/** The JSON Schema (draft-07) of a wire type; references in it read `#/definitions/Name`. */
export const schemaOf = (name: string): Schema => validator().schema(name);
