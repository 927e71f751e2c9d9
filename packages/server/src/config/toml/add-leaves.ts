import { isTable, setValue, type Table } from "../../lib/table.ts";
import { ConfigError } from "../config-error.ts";
import { isBelow, scanToml, type TomlHeader, type TomlPair } from "./toml-scan.ts";

/** A value and its place. */
export interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
}

/** A path as the key of a map. */
export const keyOf = (path: readonly string[]): string => JSON.stringify(path);

/**
 * Sets values, none of whose paths is within another or names a table of the text. The text is read once, however many
 * there are.
 */
export function addLeaves(text: string, leaves: readonly Leaf[]): string {
  if (leaves.length === 0) return text;
  const found = scanToml(text).filter(({ inArray }) => !inArray);
  const pairs = new Map(found.flatMap((each) => (each.kind === "pair" ? [[keyOf(each.path), each] as const] : [])));
  const changed = new Map<TomlPair, Leaf[]>();
  const added = new Map<string, Leaf[]>();
  for (const leaf of leaves) {
    const holder = holderOf(pairs, leaf.path);
    if (holder) put(changed, holder, leaf);
    else put(added, keyOf(leaf.path.slice(0, -1)), leaf);
  }
  const places = new Places(text, found);
  const splices: Splice[] = [...changed].map(([pair, inner]) => rewritten(text, pair, inner));
  const sections: string[] = [];
  for (const group of added.values()) {
    const parent = group[0]?.path.slice(0, -1) ?? [];
    const { at, table } = places.of(parent);
    const lines = group.map(({ path, value }) => `${keyText(path.slice(table))} = ${literal(value)}\n`).join("");
    if (at === undefined) sections.push(`[${keyText(parent)}]\n${lines}`);
    else splices.push({ start: at, end: at, text: places.isFirst(at) ? `${lines}\n` : lines });
  }
  return sections.reduce((all, section) => `${all}${gapAfter(all)}${section}`, spliced(text, splices));
}

/** The pair that has or holds the value of a path. */
function holderOf(pairs: ReadonlyMap<string, TomlPair>, path: readonly string[]): TomlPair | undefined {
  for (let depth = path.length; depth > 0; depth--) {
    const pair = pairs.get(keyOf(path.slice(0, depth)));
    if (pair) return pair;
  }
  return undefined;
}

/** A pair with other values in it. */
function rewritten(text: string, { path, valueStart, valueEnd }: TomlPair, leaves: readonly Leaf[]): Splice {
  let next = (Bun.TOML.parse(`value = ${text.slice(valueStart, valueEnd)}`) as Table).value;
  for (const leaf of leaves) {
    const inner = leaf.path.slice(path.length);
    if (inner.length > 0 && !isTable(next)) next = {};
    if (inner.length === 0) next = leaf.value;
    else setValue(next as Table, inner, leaf.value);
  }
  return { start: valueStart, end: valueEnd, text: literal(next) };
}

/** Finds where a new key of a table belongs. */
class Places {
  readonly #text: string;
  readonly #headers: ReadonlyMap<string, TomlHeader>;
  readonly #lastEnds = new Map<string, number>();
  readonly #dotted: readonly TomlPair[];

  constructor(text: string, found: readonly (TomlPair | TomlHeader)[]) {
    this.#text = text;
    this.#headers = new Map(
      found.flatMap((each) => (each.kind === "header" ? [[keyOf(each.path), each] as const] : [])),
    );
    const pairs = found.filter((each): each is TomlPair => each.kind === "pair");
    for (const { table, end } of pairs) this.#lastEnds.set(keyOf(table), end);
    this.#dotted = pairs.filter(({ path, table }) => path.length - table.length > 1);
  }

  /** The offset of the line, and the part of its path that the section names; without an offset it needs a section. */
  of(parent: readonly string[]): { readonly at: number | undefined; readonly table: number } {
    const header = this.#headers.get(keyOf(parent));
    const last = this.#lastEnds.get(keyOf(parent));
    if (header || (parent.length === 0 && last !== undefined)) return { at: last ?? header?.end, table: parent.length };
    // A table that dotted keys made cannot be opened again: the new key joins them.
    for (let depth = parent.length; depth > 0; depth--) {
      const above = parent.slice(0, depth);
      const sibling = this.#dotted.findLast(({ path, table }) => table.length < depth && isBelow(path, above));
      if (sibling) return { at: sibling.end, table: sibling.table.length };
    }
    return { at: parent.length === 0 ? this.#beforeSections : undefined, table: parent.length };
  }

  /** True for the place of the first key of a file that has only tables. */
  isFirst(at: number): boolean {
    return at === this.#beforeSections && at < this.#text.length && !this.#lastEnds.has(keyOf([]));
  }

  get #beforeSections(): number {
    return scanToml(this.#text)[0]?.start ?? this.#text.length;
  }
}

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function spliced(text: string, splices: readonly Splice[]): string {
  let result = "";
  let from = 0;
  for (const splice of splices.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(from, splice.start);
    const isLine = splice.start === splice.end;
    result += isLine && result !== "" && !result.endsWith("\n") ? `\n${splice.text}` : splice.text;
    from = splice.end;
  }
  return result + text.slice(from);
}

function gapAfter(text: string): string {
  if (text === "" || text.endsWith("\n\n")) return "";
  return text.endsWith("\n") ? "\n" : "\n\n";
}

function put<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const keyText = (path: readonly string[]): string =>
  path.map((part) => (/^[A-Za-z0-9_-]+$/.test(part) ? part : quoted(part))).join(".");

/** JSON's escapes are TOML's too, except for one character that JSON leaves alone. */
const quoted = (value: string): string => JSON.stringify(value).replaceAll("\u007f", "\\u007f");

/** A value as TOML writes it on one line. */
export function literal(value: unknown): string {
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
