import type { TokenUsage } from "./token-usage.ts";

/** A model's prices in US dollars per million tokens. */
export interface ModelPrices {
  readonly input: number;
  /** Default: the price of input. */
  readonly cachedInput?: number | undefined;
  readonly output: number;
}

/** Prices by the model's name. */
export type PriceTable = Readonly<Record<string, ModelPrices>>;

/** The prices of a model; undefined where the table has none. Throws where they are not numbers of at least 0. */
export function pricesOf(model: string | null | undefined, table: PriceTable | undefined): ModelPrices | undefined {
  if (!model || !table || !Object.hasOwn(table, model)) return undefined;
  const prices = table[model] as ModelPrices;
  for (const [name, price] of Object.entries(prices)) {
    if (price !== undefined && !(typeof price === "number" && Number.isFinite(price) && price >= 0))
      throw new TypeError(`The price "${name}" of ${model} must be dollars per million tokens, not ${String(price)}`);
  }
  return prices;
}

/** The cost of some tokens in US dollars. */
export function costOf(usage: TokenUsage, { input, cachedInput = input, output }: ModelPrices): number {
  const cached = Math.min(usage.cachedInputTokens, usage.inputTokens);
  return ((usage.inputTokens - cached) * input + cached * cachedInput + usage.outputTokens * output) / 1_000_000;
}
