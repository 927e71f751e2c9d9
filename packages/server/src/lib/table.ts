/** A table of a TOML file, or anything shaped like one. */
export type Table = Readonly<Record<string, unknown>>;

/** True for a plain object. Dates and arrays are none. */
export function isTable(value: unknown): value is Table {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A table's own value under a name from outside; never an inherited one such as `constructor`. */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The value at a path; `undefined` where there is none. */
export function valueAt(table: Table, path: readonly string[]): unknown {
  let value: unknown = table;
  for (const key of path) {
    if (!isTable(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** Merges two tables key by key; `over` wins. */
export function mergeTables(base: Table, over: Table): Table {
  const merged = copy(base);
  for (const [key, value] of Object.entries(over)) {
    const below = ownValue(merged, key);
    set(merged, key, isTable(below) && isTable(value) ? mergeTables(below, value) : value);
  }
  return merged;
}

/** A copy of the table with one value set at a path. Replaces anything in the way. */
export function withValue(table: Table, path: readonly string[], value: unknown): Table {
  const [key, ...rest] = path;
  if (key === undefined) return table;
  const result = copy(table);
  const below = ownValue(result, key);
  set(result, key, rest.length === 0 ? value : withValue(isTable(below) ? below : {}, rest, value));
  return result;
}

/** Sets a value in a table that is the caller's own. Replaces anything in the way. */
export function setValue(table: Table, path: readonly string[], value: unknown): void {
  let at = table as Record<string, unknown>;
  for (const key of path.slice(0, -1)) {
    if (!isTable(ownValue(at, key))) set(at, key, {});
    at = at[key] as Record<string, unknown>;
  }
  set(at, path.at(-1) ?? "", value);
}

/** A copy of the table without the value at a path. */
export function withoutValue(table: Table, path: readonly string[]): Table {
  const [key, ...rest] = path;
  if (key === undefined || !Object.hasOwn(table, key)) return table;
  const result = copy(table);
  const below = result[key];
  if (rest.length === 0) delete result[key];
  else if (isTable(below)) set(result, key, withoutValue(below, rest));
  return result;
}

/** Every value that is not a table, with its path. */
export function* leaves(
  table: Table,
  path: readonly string[] = [],
): Generator<[path: readonly string[], value: unknown]> {
  for (const [key, value] of Object.entries(table)) {
    if (isTable(value)) yield* leaves(value, [...path, key]);
    else yield [[...path, key], value];
  }
}

/** JSON with sorted keys, so that equal tables have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isTable(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

function copy(table: Table): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(table)) set(result, key, value);
  return result;
}

/** Works for the key `__proto__` too, which a plain assignment would swallow. */
function set(table: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(table, key, { value, writable: true, enumerable: true, configurable: true });
}
