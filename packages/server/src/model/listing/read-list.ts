import type { ListedModel } from "../../config/models/facts-memory.ts";
import { type ModelPrices, price, tokens } from "../../config/models/model-facts.ts";
import { isTable, type Table, valueAt } from "../../lib/table.ts";

/** Longer lists are cut: OpenRouter's has a few hundred. */
const maxModels = 2000;

/** The models in the answer to `GET /models`, with the facts that providers of several kinds write down. */
export function readList(answer: unknown): ListedModel[] {
  const rows = Array.isArray(answer) ? answer : isTable(answer) ? (answer.data ?? answer.models) : undefined;
  if (!Array.isArray(rows)) throw new Error("the answer holds no list of models");
  return rows.slice(0, maxModels).flatMap((row: unknown) => (isTable(row) ? (readModel(row) ?? []) : []));
}

function readModel(row: Table): ListedModel | undefined {
  const id = first(row, ["id", "name", "model"], text)?.replace(/^models\//, "");
  const { supportedGenerationMethods: methods } = row;
  // Gemini's list has models for embeddings, too.
  const answers = !Array.isArray(methods) || methods.includes("generateContent");
  if (id === undefined || !answers) return undefined;
  const inputs = valueAt(row, ["architecture", "input_modalities"]) ?? row.input_modalities;
  const supported = row.supported_parameters;
  return {
    id,
    name: first(row, ["display_name", "displayName", "name"], text),
    contextWindow: first(row, windows, tokens) ?? tokens(valueAt(row, ["meta", "n_ctx"])) ?? trained(row),
    outputLimit: first(row, limits, tokens) ?? tokens(valueAt(row, ["top_provider", "max_completion_tokens"])),
    images: Array.isArray(inputs) ? inputs.includes("image") : flag(valueAt(row, ["capabilities", "vision"])),
    reasoning: Array.isArray(supported)
      ? supported.includes("reasoning")
      : flag(valueAt(row, ["capabilities", "reasoning"])),
    prices: isTable(row.pricing) ? readPrices(row.pricing) : undefined,
  };
}

/** In order: the window that is loaded counts more than the largest possible one. */
const windows = [
  "loaded_context_length",
  "max_model_len",
  "context_length",
  "context_window",
  "max_context_length",
  "max_input_tokens",
  "inputTokenLimit",
];

const limits = ["max_completion_tokens", "max_output_tokens", "max_tokens", "outputTokenLimit"];

const trained = (row: Table): number | undefined => tokens(valueAt(row, ["meta", "n_ctx_train"]));

/** OpenRouter writes dollars per token, as text; Together dollars per million. */
function readPrices(pricing: Table): ModelPrices | undefined {
  const perToken = (key: string): number | undefined => {
    const value = pricing[key];
    return typeof value === "string" && value !== "" ? rounded(price(Number(value))) : undefined;
  };
  const [input, output] = [perToken("prompt"), perToken("completion")];
  if (input !== undefined && output !== undefined) {
    return { input, cachedInput: perToken("input_cache_read"), cacheWrite: perToken("input_cache_write"), output };
  }
  const [paid, made] = [price(pricing.input), price(pricing.output)];
  return paid === undefined || made === undefined
    ? undefined
    : { input: paid, cachedInput: price(pricing.cached_input), output: made };
}

/** Millions of a small fraction have a tail of binary digits. */
function rounded(perToken: number | undefined): number | undefined {
  return perToken === undefined ? undefined : Number((perToken * 1_000_000).toPrecision(12));
}

function first<T>(row: Table, keys: readonly string[], read: (value: unknown) => T | undefined): T | undefined {
  for (const key of keys) {
    const value = read(row[key]);
    if (value !== undefined) return value;
  }
  return undefined;
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
const flag = (value: unknown): boolean | undefined => (typeof value === "boolean" ? value : undefined);
