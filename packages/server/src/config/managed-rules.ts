import { isTable } from "../lib/table.ts";
import { ConfigError } from "./config-error.ts";

/** An administrator's rule about commands with a prefix. It can only restrict. */
export interface ManagedRule {
  /** The words; a list for alternatives. */
  readonly pattern: readonly (string | readonly string[])[];
  /** `prompt-user` has a person asked each time, and nobody in their place. */
  readonly decision: "prompt" | "prompt-user" | "forbidden";
  readonly justification: string | null;
  /** True to match words in upper and lower case alike. */
  readonly ignoresCase: boolean;
}

const decisions: readonly ManagedRule["decision"][] = ["prompt", "prompt-user", "forbidden"];

/** Reads `[rules]` of the administrator's file. A rule that cannot be read stops everything: it may be one that forbids. */
export function readManagedRules(rules: unknown, path: string): readonly ManagedRule[] {
  if (rules === undefined) return [];
  const rows = isTable(rules) ? rules.prefix_rules : undefined;
  if (!Array.isArray(rows) || rows.length === 0)
    throw new ConfigError(`${path}: rules.prefix_rules must be a list of at least one rule.`);
  return rows.map((row: unknown, index) => toRule(row, `${path}: rules.prefix_rules, rule ${index + 1}`));
}

function toRule(row: unknown, where: string): ManagedRule {
  if (!isTable(row)) throw new ConfigError(`${where}: expected a table with \`pattern\` and \`decision\`.`);
  const decision = decisions.find((known) => known === row.decision);
  if (decision === undefined)
    throw new ConfigError(`${where}: \`decision\` must be "prompt", "prompt-user" or "forbidden".`);
  const { justification = null, pattern, canonical_matching: ignoresCase = false } = row;
  if (justification !== null && (typeof justification !== "string" || justification.trim() === ""))
    throw new ConfigError(`${where}: \`justification\` must be a text.`);
  if (typeof ignoresCase !== "boolean")
    throw new ConfigError(`${where}: \`canonical_matching\` must be true or false.`);
  if (!Array.isArray(pattern) || pattern.length === 0)
    throw new ConfigError(`${where}: \`pattern\` must be a list of at least one word.`);
  return { pattern: pattern.map((word: unknown) => toWord(word, where)), decision, justification, ignoresCase };
}

function toWord(word: unknown, where: string): string | readonly string[] {
  const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
  if (isTable(word)) {
    const { token, any_of: alternatives } = word;
    if (isText(token) && alternatives === undefined) return token;
    if (token === undefined && Array.isArray(alternatives) && alternatives.length > 0 && alternatives.every(isText))
      return alternatives;
  }
  throw new ConfigError(`${where}: a word of \`pattern\` is { token = "…" } or { any_of = ["…", "…"] }.`);
}
