import { canonicalJson, isTable, type Table } from "../../lib/table.ts";
import { contentHash } from "./script-file.ts";

/** Settings that a project may change without asking: they run, allow, read and send nothing. */
const harmless: ReadonlyMap<string, "string" | "number" | "boolean"> = new Map(
  Object.entries<"string" | "number" | "boolean">({
    hide_agent_reasoning: "boolean",
    model: "string",
    model_auto_compact_token_limit: "number",
    model_context_window: "number",
    model_reasoning_effort: "string",
    model_reasoning_summary: "string",
    model_verbosity: "string",
    personality: "string",
    plan_mode_reasoning_effort: "string",
    review_model: "string",
    show_raw_agent_reasoning: "boolean",
  }),
);

/** The part of a project's config that a user trusts. */
export interface ConfigPrint {
  readonly hash: string;
  /** The settings that count, by their first name. */
  readonly keys: readonly string[];
}

/**
 * A hash of everything a config can make the server do, except hooks, which have their own; `undefined` for nothing.
 */
export function configPrint(values: Table): ConfigPrint | undefined {
  const counting = Object.entries(values).filter(([key, value]) => key !== "hooks" && !isHarmless(key, value));
  if (counting.length === 0) return undefined;
  const keys = counting.map(([key]) => key).sort();
  return { hash: contentHash(canonicalJson(Object.fromEntries(counting))), keys };
}

/** Every text within a value, however deep. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (Array.isArray(value)) for (const each of value) yield* textsIn(each);
  else if (isTable(value)) for (const each of Object.values(value)) yield* textsIn(each);
}

function isHarmless(key: string, value: unknown): boolean {
  return harmless.has(key) && typeof value === harmless.get(key);
}
