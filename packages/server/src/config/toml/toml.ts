import { errorMessage } from "../../lib/error-message.ts";
import type { Table } from "../../lib/table.ts";
import { ConfigError } from "../config-error.ts";
import { isBelow, scanToml, type TomlHeader, type TomlPair } from "./toml-scan.ts";

/** Parses a file's text. Throws a {@link ConfigError} that names file and line. */
export function parseToml(text: string, file: string): Table {
  const parsed = tryParse(text);
  if (typeof parsed !== "string") {
    if (isDeep(parsed))
      throw new ConfigError(`${file}: tables are nested more than ${maxDepth} levels deep. Flatten them.`);
    return parsed;
  }
  const line = lineOfError(text, parsed);
  throw new ConfigError(`${file}:${line}: ${parsed}. Correct the line, or remove it.`);
}

/** Deeper tables have no meaning, and recursion over them would exhaust the stack. */
export const maxDepth = 100;

/** True when a value is nested more than a hundred levels deep. */
export function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return false;
}

/** The line at which the parser stops: it stops there for every longer prefix of the text too. */
function lineOfError(text: string, problem: string): number {
  const lines = text.split("\n");
  let [good, bad] = [0, lines.length];
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (tryParse(`${lines.slice(0, middle).join("\n")}\n`) === problem) bad = middle;
    else good = middle;
  }
  return bad;
}

/** The line that sets a value of a valid text; `undefined` when it is unknown. */
export function lineOfKey(text: string, path: readonly string[]): number | undefined {
  const found = scanToml(text).find(
    ({ kind, path: own }) => isBelow(own, path) || (kind === "pair" && isBelow(path, own)),
  );
  return found && text.slice(0, found.end).trimEnd().split("\n").length - extraLines(text, found);
}

/** Lines of a value after its first. */
function extraLines(text: string, { start, end }: TomlPair | TomlHeader): number {
  return text.slice(start, end).trim().split("\n").length - 1;
}

/** A value as on the command line: TOML if it is some, else the text itself, so that strings need no quotes. */
export function parseValue(text: string): unknown {
  const parsed = tryParse(`value = ${text.trim()}`);
  return typeof parsed === "string" || Object.keys(parsed).length !== 1 ? unquoted(text) : parsed.value;
}

/** Drops a single or unequal quote, which a shell may have left. */
function unquoted(text: string): string {
  return text.trim().replace(/^["']+|["']+$/g, "");
}

function tryParse(text: string): Table | string {
  try {
    return Bun.TOML.parse(text) as Table;
  } catch (error) {
    return errorMessage(error).replace(/^TOML Parse error: /, "");
  }
}
