import { isTable, type Table, valueAt, withoutValue, withValue } from "../../lib/table.ts";
import { ConfigError } from "../config-error.ts";
import { isBelow, scanToml, type TomlHeader, type TomlPair } from "./toml-scan.ts";

/** Sets one value of a TOML text, or takes it out with `undefined`. All else stays as it was, comments included. */
export function editToml(text: string, path: readonly string[], value: unknown): string {
  const before = parse(text);
  const after = value === undefined ? withoutValue(before, path) : withValue(before, path, value);
  if (Bun.deepEquals(before, after)) return text;
  const edited = value === undefined ? remove(text, path) : set(text, path, value);
  // Refuses an edit that would change anything else.
  if (!Bun.deepEquals(withoutEmpty(tryParse(edited)), withoutEmpty(after))) {
    throw new ConfigError(
      `${path.join(".")} cannot be changed without rewriting the file around it. Edit the file by hand.`,
    );
  }
  return edited;
}

function set(text: string, path: readonly string[], value: unknown): string {
  const found = scanToml(text);
  const pairs = found.filter((each) => each.kind === "pair" && !each.inArray) as TomlPair[];
  const holder = pairs.find((pair) => isBelow(path, pair.path));
  if (holder) {
    const inner = path.slice(holder.path.length);
    const whole = valueAt(parse(text), holder.path);
    const next = inner.length === 0 ? value : withValue(isTable(whole) ? whole : {}, inner, value);
    return text.slice(0, holder.valueStart) + literal(next) + text.slice(holder.valueEnd);
  }
  const cleared = remove(text, path);
  if (!isTable(value) || Object.keys(value).length === 0) return insert(cleared, path, value);
  return Object.entries(value).reduce((sum, [key, each]) => set(sum, [...path, key], each), cleared);
}

/** Removes the pairs and tables at and below a path. */
function remove(text: string, path: readonly string[]): string {
  const found = scanToml(text);
  const holder = found.find(
    (each): each is TomlPair => each.kind === "pair" && !each.inArray && isBelow(path, each.path),
  );
  if (holder && holder.path.length < path.length) {
    const whole = valueAt(parse(text), holder.path);
    if (!isTable(whole)) return text;
    const inner = withoutValue(whole, path.slice(holder.path.length));
    return text.slice(0, holder.valueStart) + literal(inner) + text.slice(holder.valueEnd);
  }
  return found
    .filter((each) => isBelow(each.path, path))
    .reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
}

/** Adds a value that is not there yet. */
function insert(text: string, path: readonly string[], value: unknown): string {
  const found = scanToml(text).filter(({ inArray }) => !inArray);
  const parent = path.slice(0, -1);
  const header = found.find((each): each is TomlHeader => each.kind === "header" && same(each.path, parent));
  if (header) return line(text, lastEnd(found, parent) ?? header.end, `${keyText(path.slice(-1))} = ${literal(value)}`);
  // A table that dotted keys made cannot be opened again: the new key joins them.
  for (let depth = parent.length; depth > 0; depth--) {
    const sibling = found.findLast(
      (each): each is TomlPair =>
        each.kind === "pair" && each.table.length < depth && isBelow(each.path, path.slice(0, depth)),
    );
    if (sibling) return line(text, sibling.end, `${keyText(path.slice(sibling.table.length))} = ${literal(value)}`);
  }
  const pair = `${keyText(path.slice(-1))} = ${literal(value)}`;
  if (parent.length > 0) {
    const gap = text === "" || text.endsWith("\n\n") ? "" : text.endsWith("\n") ? "\n" : "\n\n";
    return `${text}${gap}[${keyText(parent)}]\n${pair}\n`;
  }
  const end = lastEnd(found, []);
  if (end !== undefined) return line(text, end, pair);
  const first = scanToml(text)[0]?.start;
  return first === undefined ? line(text, text.length, pair) : `${text.slice(0, first)}${pair}\n\n${text.slice(first)}`;
}

function lastEnd(found: readonly (TomlPair | TomlHeader)[], table: readonly string[]): number | undefined {
  return found.findLast((each) => each.kind === "pair" && same(each.table, table))?.end;
}

function line(text: string, at: number, content: string): string {
  const before = text.slice(0, at);
  return `${before}${before === "" || before.endsWith("\n") ? "" : "\n"}${content}\n${text.slice(at)}`;
}

const same = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && isBelow(a, b);

const keyText = (path: readonly string[]): string =>
  path.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : quoted(part))).join(".");

/** JSON's escapes are TOML's too, except for one character that JSON leaves alone. */
const quoted = (value: string): string => JSON.stringify(value).replaceAll("\u007f", "\\u007f");

function literal(value: unknown): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (!isTable(value))
    throw new ConfigError(`${JSON.stringify(value)} cannot be written to a config file: TOML has no such value.`);
  const entries = Object.entries(value).filter(([, each]) => each !== null && each !== undefined);
  return entries.length === 0
    ? "{}"
    : `{ ${entries.map(([key, each]) => `${keyText([key])} = ${literal(each)}`).join(", ")} }`;
}

const parse = (text: string): Table => Bun.TOML.parse(text) as Table;

function tryParse(text: string): Table | undefined {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

/** A table that lost its last value may stay empty or be removed. */
function withoutEmpty(value: unknown): unknown {
  if (!isTable(value)) return value;
  const kept = Object.entries(value).map(([key, each]) => [key, withoutEmpty(each)] as const);
  return Object.fromEntries(kept.filter(([, each]) => !(isTable(each) && Object.keys(each).length === 0)));
}
