import { isTable, ownValue, type Table, valueAt } from "../../lib/table.ts";

/** Prices in US dollars per million tokens. */
export interface ModelPrices {
  readonly input: number;
  /** Default: the price of input. */
  readonly cachedInput?: number | undefined;
  /** Default: the price of input. */
  readonly cacheWrite?: number | undefined;
  readonly output: number;
}

/** Facts about a model that its provider, a table or the user knows. */
export interface ModelFacts {
  readonly name?: string | undefined;
  /** Tokens of input and output together. */
  readonly contextWindow?: number | undefined;
  readonly outputLimit?: number | undefined;
  /** True when it sees pictures. */
  readonly images?: boolean | undefined;
  readonly reasoning?: boolean | undefined;
  /** True for the compact prompt and few tools, false for all. Default: by the window. */
  readonly small?: boolean | undefined;
  readonly prices?: ModelPrices | undefined;
}

/** The later of the facts win, fact by fact. */
export function mergeFacts(...all: readonly (ModelFacts | undefined)[]): ModelFacts {
  const known = all.flatMap((facts) => Object.entries(facts ?? {}).filter(([, value]) => value !== undefined));
  return Object.fromEntries(known);
}

/**
 * The facts in a user's configuration: `[models."NAME"]` for a model of any provider, and
 * `[model_providers.ID.models."NAME"]`, which wins. Values of a wrong type are skipped.
 */
export function configuredFacts(raw: Table, provider: string, model: string): ModelFacts {
  const rows = [valueAt(raw, ["models"]), valueAt(raw, ["model_providers", provider, "models"])];
  return mergeFacts(...rows.map((models) => (isTable(models) ? factsOfRow(ownValue(models, model)) : undefined)));
}

function factsOfRow(row: unknown): ModelFacts {
  if (!isTable(row)) return {};
  const { name, images, reasoning, small } = row;
  return {
    name: typeof name === "string" ? name : undefined,
    contextWindow: tokens(row.context_window),
    outputLimit: tokens(row.output_limit),
    images: typeof images === "boolean" ? images : undefined,
    reasoning: typeof reasoning === "boolean" ? reasoning : undefined,
    small: typeof small === "boolean" ? small : undefined,
    prices: isTable(row.prices) ? pricesOf(row.prices) : undefined,
  };
}

function pricesOf({ input, cached_input: cached, cache_write: write, output }: Table): ModelPrices | undefined {
  const [paid, made] = [price(input), price(output)];
  if (paid === undefined || made === undefined) return undefined;
  return { input: paid, cachedInput: price(cached), cacheWrite: price(write), output: made };
}

/** A number of tokens; `undefined` for anything that is none. */
export function tokens(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** A price; `undefined` for anything that is none. */
export function price(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
