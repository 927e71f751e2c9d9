import { type Table, withValue } from "../lib/table.ts";
import { ConfigError } from "./config-error.ts";
import { parseValue } from "./toml/toml.ts";

function parseOverride(argument: string): [path: readonly string[], value: unknown] {
  const equals = argument.indexOf("=");
  const key = argument.slice(0, Math.max(equals, 0)).trim();
  if (key === "") throw new ConfigError(`-c ${argument}: expected key=value, as in -c model="gpt-5.5".`);
  return [splitPath(key), parseValue(argument.slice(equals + 1))];
}

/** The arguments of `-c` as one record of dotted paths to values, the later ones winning. */
export function parseOverrides(args: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    args.map((argument) => {
      const [path, value] = parseOverride(argument);
      return [path.map(quoted).join("."), value];
    }),
  );
}

/** Puts records of dotted paths into one table, the later ones winning. `null` and `undefined` leave a value as it is. */
export function overrideTable(...records: readonly (Table | null | undefined)[]): Table {
  let table: Table = {};
  for (const [key, value] of records.flatMap((record) => Object.entries(record ?? {}))) {
    if (value !== undefined && value !== null) table = withValue(table, splitPath(key), value);
  }
  return table;
}

function quoted(part: string): string {
  return part.includes(".") ? `"${part}"` : part;
}

/** Splits a dotted path. A part in double quotes may hold dots: `projects."/a.b".trust_level`. */
export function splitPath(key: string): string[] {
  const parts: string[] = [];
  for (const match of key.matchAll(/\s*(?:"([^"]*)"|([^."]+))\s*(?:\.|$)/g))
    parts.push(match[1] ?? match[2]?.trim() ?? "");
  return parts.length === 0 ? [key] : parts;
}
