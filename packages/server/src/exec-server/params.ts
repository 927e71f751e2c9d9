import { fileURLToPath } from "node:url";
import { invalidParams, invalidRequest } from "../lib/rpc-errors.ts";

/** The params of a request, of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** The params of a request as an object. */
export function fieldsOf(params: unknown): Fields {
  if (typeof params === "object" && params !== null && !Array.isArray(params)) return params as Fields;
  throw invalidParams("invalid type: expected the params as an object");
}

/** A text that must be there. */
export function textField(fields: Fields, name: string): string {
  return typed(fields, name, "string") as string;
}

/** A switch that must be there. */
export function flagField(fields: Fields, name: string): boolean {
  return typed(fields, name, "boolean") as boolean;
}

/** A switch that may be left out. */
export function optionalFlag(fields: Fields, name: string, otherwise: boolean): boolean {
  return isLeftOut(fields, name) ? otherwise : flagField(fields, name);
}

/** A whole number from 0 that must be there. */
export function countField(fields: Fields, name: string): number {
  const value = typed(fields, name, "number") as number;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidParams(`invalid value of \`${name}\`: ${value}, expected a whole number from 0`);
}

/** A whole number from 0 that may be left out. */
export function optionalCount(fields: Fields, name: string): number | undefined {
  return isLeftOut(fields, name) ? undefined : countField(fields, name);
}

/** A choice among some words, the first unless another is given. */
export function choiceField<Word extends string>(
  fields: Fields,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  if (isLeftOut(fields, name)) return words[0];
  const value = textField(fields, name);
  const found = words.find((word) => word === value);
  if (found !== undefined) return found;
  throw invalidParams(`unknown variant \`${value}\`, expected ${words.map((word) => `\`${word}\``).join(" or ")}`);
}

/** Texts that must be there. */
export function textsField(fields: Fields, name: string): readonly string[] {
  const value = present(fields, name);
  if (Array.isArray(value) && value.every((entry) => typeof entry === "string")) return value;
  throw invalidParams(`invalid type of \`${name}\`: expected a sequence of strings`);
}

/** Texts by name, which must be there. */
export function mapField(fields: Fields, name: string): Readonly<Record<string, string>> {
  const value = present(fields, name);
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isMap && Object.values(value).every((entry) => typeof entry === "string")) return value as Record<string, string>;
  throw invalidParams(`invalid type of \`${name}\`: expected a map of strings`);
}

/** The path of a `file:` URL that must be there. */
export function pathField(fields: Fields, name: string): string {
  return pathOf(textField(fields, name));
}

/** The path of a `file:` URL of this machine. */
export function pathOf(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) throw invalidParams("invalid URI: relative URL without a base");
  if (parsed.protocol !== "file:")
    throw invalidParams(`unsupported path URI scheme \`${parsed.protocol.slice(0, -1)}\``);
  const foreign = `'${url}' is invalid on '${process.platform}'`;
  if (parsed.host !== "") throw invalidRequest(foreign);
  try {
    const path = fileURLToPath(parsed);
    if (!path.includes("\0")) return path;
  } catch {
    // A slash in disguise, or a drive that is not there.
  }
  throw invalidParams(foreign);
}

const isLeftOut = (fields: Fields, name: string): boolean => fields[name] === undefined || fields[name] === null;

function present(fields: Fields, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  throw invalidParams(`missing field \`${name}\``);
}

function typed(fields: Fields, name: string, type: "string" | "boolean" | "number"): unknown {
  const value = present(fields, name);
  if (typeof value === type) return value;
  throw invalidParams(`invalid type of \`${name}\`: expected a ${type}`);
}
