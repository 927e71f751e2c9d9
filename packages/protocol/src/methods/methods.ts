import type { MethodName } from "../generated/method-types.ts";
import { methods } from "../generated/methods.ts";
import type { MethodRow } from "../lib/method-row.ts";

export type { MethodName, RequestName } from "../generated/method-types.ts";
export type { MethodRow, Scope } from "../lib/method-row.ts";
export { methods };

/** True for the name of a known method. */
export const isMethod = (name: string): name is MethodName => Object.hasOwn(methods, name);

/** The row of a method, or `undefined` for a name that the protocol does not have. */
export const methodRow = (name: string): MethodRow | undefined => (isMethod(name) ? methods[name] : undefined);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/**
 * The queue in which a request must wait its turn, or `undefined` where it need not wait. Requests with the same key run
 * one after the other.
 */
export function scopeKey(method: string, params: unknown): string | undefined {
  const scope = methodRow(method)?.scope;
  if (scope === undefined || scope === null) return undefined;
  if ("shared" in scope) return scope.shared;
  const id = isRecord(params) ? params[scope.by] : undefined;
  return typeof id === "string" || typeof id === "number" ? `${scope.by}:${id}` : undefined;
}

/**
 * Parts of a request that need the experimental API: the method itself, or paths such as `thread/start.dynamicTools`. A
 * field that is absent, `null`, `false` or empty does not count as used.
 */
export function experimentalUse(method: string, params: unknown): string[] {
  const row = methodRow(method);
  if (row === undefined) return [];
  if (row.stability === "experimental") return [method];
  return (row.experimentalFields ?? []).filter((path) => isUsed(params, path)).map((path) => `${method}.${path}`);
}

function isUsed(value: unknown, path: string): boolean {
  const [step = "", ...rest] = path.split(".");
  const [field = "", wanted] = step.split("=");
  const name = field.replace(/(\[\]|\{\})+$/, "");
  let found: unknown[] = [isRecord(value) ? value[name] : undefined];
  for (let depth = (field.length - name.length) / 2; depth > 0; depth -= 1) {
    found = found.flatMap((part) => (isRecord(part) ? Object.values(part) : []));
  }
  if (rest.length > 0) return found.some((part) => isUsed(part, rest.join(".")));
  return found.some((part) => (wanted === undefined ? isPresent(part) : part === wanted));
}

function isPresent(value: unknown): boolean {
  if (isRecord(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false;
}
