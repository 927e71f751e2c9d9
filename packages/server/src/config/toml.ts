import { ConfigError } from "./effective-config.ts";
import { type Table, valueAt } from "./table.ts";

/** Parses a file's text. Throws a {@link ConfigError} that names file and line. */
export function parseToml(text: string, file: string): Table {
  const parsed = tryParse(text);
  if (typeof parsed !== "string") return parsed;
  const line = firstLine(text, (prefix) => tryParse(prefix) === parsed);
  throw new ConfigError(`${file}:${line}: ${parsed}. Correct the line, or remove it.`);
}

/** The line on which a value is set; `undefined` when it cannot be told. */
export function lineOfKey(text: string, path: readonly string[]): number | undefined {
  const defines = (prefix: string): boolean => {
    const parsed = tryParse(prefix);
    return typeof parsed !== "string" && valueAt(parsed, path) !== undefined;
  };
  return defines(text) ? firstLine(text, defines) : undefined;
}

/** A value as on the command line: TOML if it is some, else the text itself, so that strings need no quotes. */
export function parseValue(text: string): unknown {
  const parsed = tryParse(`value = ${text.trim()}`);
  return typeof parsed === "string" || Object.keys(parsed).length !== 1 ? unquoted(text) : parsed.value;
}

/** A shell may have left one quote, or unequal ones: they are not meant. */
function unquoted(text: string): string {
  return text.trim().replace(/^["']+|["']+$/g, "");
}

/** The table, or what is wrong with the text. */
function tryParse(text: string): Table | string {
  try {
    return Bun.TOML.parse(text) as Table;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).replace(/^TOML Parse error: /, "");
  }
}

/** Files longer than this get no exact line: each line costs one parsing. */
const maxLines = 2000;

/**
 * The first line up to which the text has the property. Bun's parser gives no positions; parsing ever longer beginnings
 * of the text finds the place, and is done only when something is wrong.
 */
function firstLine(text: string, holds: (prefix: string) => boolean): number {
  const lines = text.split("\n");
  if (lines.length > maxLines) return lines.length;
  for (let count = 1; count < lines.length; count++) {
    if (holds(`${lines.slice(0, count).join("\n")}\n`)) return count;
  }
  return lines.length;
}
