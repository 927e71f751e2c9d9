import { defaultShapes } from "../generated/defaults.ts";
import type { DefaultShape } from "../lib/default-shape.ts";
import { methodRow } from "./methods.ts";

type Fields = Readonly<Record<string, unknown>>;

/**
 * Completes the result of a request with the fields that Codex always sends: `null` or `false` where
 * nothing is known. The same value where nothing is missing; never changes what it is given.
 */
export function fullResult(method: string, result: unknown): unknown {
  return filled(result, methodRow(method)?.result);
}

/** The same for the params of a notification, or of a request of the server. */
export function fullParams(method: string, params: unknown): unknown {
  return filled(params, methodRow(method)?.params);
}

/** The same for a value of a type, given by its name. */
export function fullValue(type: string, value: unknown): unknown {
  return filled(value, type);
}

function filled(value: unknown, name: string | null | undefined): unknown {
  const shape = name && Object.hasOwn(defaultShapes, name) ? defaultShapes[name] : undefined;
  return shape === undefined ? value : fill(value, shape);
}

function fill(value: unknown, shape: DefaultShape): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return eachOf(value, shape);
  const fields = value as Fields;
  const own = fillOwn(fields, shape);
  const variant = shape.variants && variantOf(fields, shape);
  return variant === undefined ? own : fillOwn(own, variant);
}

function variantOf(fields: Fields, { by, variants = {} }: DefaultShape): DefaultShape | undefined {
  const tag = by === "" ? Object.keys(fields).find((key) => Object.hasOwn(variants, key)) : fields[by ?? ""];
  return typeof tag === "string" && Object.hasOwn(variants, tag) ? variants[tag] : undefined;
}

function fillOwn(fields: Fields, shape: DefaultShape): Fields {
  let copy: Record<string, unknown> | undefined;
  const set = (name: string, value: unknown) => {
    copy ??= { ...fields };
    copy[name] = value;
  };
  // `undefined` leaves a field out of the JSON as well.
  for (const name of shape.null ?? []) if (fields[name] === undefined) set(name, null);
  for (const name of shape.false ?? []) if (fields[name] === undefined) set(name, false);
  for (const name in shape.in) {
    const before = fields[name];
    if (typeof before !== "object" || before === null) continue;
    const after = fillHeld(before, shape.in[name] ?? "");
    if (after !== before) set(name, after);
  }
  return copy ?? fields;
}

function fillHeld(value: object, name: string): unknown {
  if (!name.endsWith("{}")) return filled(value, name);
  let copy: Record<string, unknown> | undefined;
  for (const [key, before] of Object.entries(value)) {
    const after = filled(before, name.slice(0, -"{}".length));
    if (after !== before) copy = { ...(copy ?? value), [key]: after };
  }
  return copy ?? value;
}

function eachOf(list: readonly unknown[], shape: DefaultShape): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, before] of list.entries()) {
    const after = fill(before, shape);
    if (after === before) continue;
    copy ??= [...list];
    copy[index] = after;
  }
  return copy ?? list;
}
