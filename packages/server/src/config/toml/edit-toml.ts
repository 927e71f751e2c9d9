import { isTable, setValue, type Table, valueAt, withoutValue } from "../../lib/table.ts";
import { ConfigError } from "../config-error.ts";
import { addLeaves, keyOf, type Leaf, literal } from "./add-leaves.ts";
import { isDeep, maxDepth } from "./toml.ts";
import { isBelow, scanToml, type TomlPair } from "./toml-scan.ts";

/** A change of a TOML text. */
export interface TomlEdit {
  readonly path: readonly string[];
  /** `null` and `undefined` remove the key. */
  readonly value: unknown;
  /** True to merge a table into the existing one. */
  readonly merge?: boolean;
}

/** Makes all changes of a TOML text in one pass. All else stays as it was, comments included. */
export function editToml(text: string, edits: readonly TomlEdit[]): string {
  let after = parse(text);
  let edited = text;
  const run = new LeafRun();
  const finish = () => {
    edited = addLeaves(edited, run.take());
  };
  for (const { path, value, merge } of edits) {
    check(path, value);
    const found = valueAt(after, path);
    if (value === null || value === undefined) {
      finish();
      if (found === undefined) continue;
      after = withoutValue(after, path);
      edited = remove(edited, path);
      continue;
    }
    if (Bun.deepEquals(found, value)) continue;
    const merges = merge === true && isTable(found) && isTable(value);
    for (const leaf of merges ? leavesOf(path, value) : [{ path, value }]) {
      const old = valueAt(after, leaf.path);
      if (Bun.deepEquals(old, leaf.value)) continue;
      const isSection = isTable(old) || (Array.isArray(old) && old.some(isTable));
      if (isSection || !run.fits(leaf)) finish();
      const isPair = isSection && holds(edited, leaf.path);
      if (isSection && !isPair) edited = remove(edited, leaf.path);
      for (const each of isPair ? [leaf] : leavesOf(leaf.path, leaf.value)) run.add(each);
      setValue(after, leaf.path, structuredClone(leaf.value));
    }
  }
  finish();
  // Refuses an edit that would change anything else.
  if (Bun.deepEquals(withoutEmpty(tryParse(edited)), withoutEmpty(after))) return edited;
  const names = edits.map(({ path }) => path.join(".")).slice(0, 3);
  throw new ConfigError(
    `${names.join(", ")} cannot be changed without rewriting the file around it. Edit the file by hand.`,
  );
}

/** Values that can be set together: none of their paths is within another. */
class LeafRun {
  readonly #leaves = new Map<string, Leaf>();
  readonly #parents = new Set<string>();

  fits({ path, value }: Leaf): boolean {
    const key = keyOf(path);
    if (this.#parents.has(key) || (isTable(value) && this.#leaves.has(key))) return false;
    return !path.some((_, depth) => depth > 0 && this.#leaves.has(keyOf(path.slice(0, depth))));
  }

  add(leaf: Leaf): void {
    this.#leaves.set(keyOf(leaf.path), leaf);
    for (let depth = 1; depth < leaf.path.length; depth++) this.#parents.add(keyOf(leaf.path.slice(0, depth)));
  }

  take(): Leaf[] {
    const all = [...this.#leaves.values()];
    this.#leaves.clear();
    this.#parents.clear();
    return all;
  }
}

function check(path: readonly string[], value: unknown): void {
  if (path.length === 0 || path.some((part) => part === "")) throw new ConfigError("keyPath must not be empty");
  if (path.length > maxDepth || isDeep(value))
    throw new ConfigError(`the value is nested more than ${maxDepth} levels deep. Flatten it.`);
  if (path.includes("__proto__") || hasProto(value))
    throw new ConfigError("__proto__ cannot be a key. Choose another name.");
}

/** True when something within a value, whose depth is bounded, has a key that objects here cannot hold safely. */
function hasProto(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "__proto__") || Object.values(value).some(hasProto);
}

/** Each value below a path that becomes a line of its own. An empty table is one too. */
function* leavesOf(path: readonly string[], value: unknown): Generator<Leaf> {
  const entries = isTable(value) ? Object.entries(value) : [];
  if (entries.length === 0) yield { path, value };
  for (const [key, each] of entries) yield* leavesOf([...path, key], each);
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
  const kept: string[] = [];
  let from = 0;
  for (const { start, end } of found.filter((each) => isBelow(each.path, path))) {
    kept.push(text.slice(from, start));
    from = end;
  }
  return kept.join("") + text.slice(from);
}

/** True when a `key = value` has or holds the value of a path, rather than a section. */
function holds(text: string, path: readonly string[]): boolean {
  return scanToml(text).some((each) => each.kind === "pair" && !each.inArray && isBelow(path, each.path));
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
