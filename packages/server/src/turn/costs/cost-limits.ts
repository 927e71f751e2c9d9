import type { ProviderConfig } from "../../config/effective-config.ts";
import { type ModelFacts, type ModelPrices, price } from "../../config/models/model-facts.ts";
import { isTable } from "../../lib/table.ts";
import { ModelError, type ModelRequest } from "../../model/model-provider.ts";
import { tokensIn } from "./tokens-in.ts";

const periods = ["turn", "thread", "day"] as const;

/** The most that may be spent, in US dollars: `[cost_limits]`. */
export type CostLimits = { readonly [period in (typeof periods)[number]]?: number | undefined };

/** Amounts by the period of a limit. */
export type Spent = { readonly [period in (typeof periods)[number]]: number };

/** Tokens that are assumed for models whose longest answer is not known. */
export const assumedOutput = 8192;

/** Tokens of an image at most, in the finest detail of any provider: it is not paid by its bytes. */
const imageTokens = 20_000;

/** The limits of a configuration; `undefined` when there are none. */
export function costLimits({ cost_limits: row }: Readonly<Record<string, unknown>>): CostLimits | undefined {
  if (!isTable(row)) return undefined;
  const limits = { turn: price(row.turn), thread: price(row.thread), day: price(row.day) };
  return Object.values(limits).some((limit) => limit !== undefined) ? limits : undefined;
}

/** The most that a request's input may cost: nothing of it is cached. */
export function dearestInput({ input, tools, outputSchema }: ModelRequest, prices: ModelPrices): number {
  let images = 0;
  const written = JSON.stringify([input, tools, outputSchema ?? null], (key, value: unknown) => {
    if (key !== "image_url" || typeof value !== "string" || !value.startsWith("data:")) return value;
    images += Math.min(imageTokens, tokensIn(value));
    return "";
  });
  const tokens = images + tokensIn(written);
  return (tokens * Math.max(prices.input, prices.cacheWrite ?? 0)) / 1_000_000;
}

/** The cost of an answer of so many tokens. */
export function outputCost(tokens: number, { output }: ModelPrices): number {
  return (tokens * output) / 1_000_000;
}

/**
 * The longest answer that the provider is asked to hold, reasoning that nobody sees included; `undefined` where it cannot
 * be asked. Anthropic's wire has a bound in each request; other models refuse one that is beyond their own.
 */
export function heldOutput({ wire, maxOutputTokens }: ProviderConfig, { outputLimit }: ModelFacts): number | undefined {
  return maxOutputTokens ?? outputLimit ?? (wire === "anthropic" ? assumedOutput : undefined);
}

/** The amount that is left of the limits; infinite without any. */
export function leftOf(limits: CostLimits, spent: Spent): number {
  const left = periods.flatMap((period) => (limits[period] === undefined ? [] : [limits[period] - spent[period]]));
  return Math.min(...left);
}

/** The error for a response that has grown until it could pass a limit. */
export function stoppedByLimit(limits: CostLimits): ModelError {
  const set = periods.filter((period) => limits[period] !== undefined).map((period) => `cost_limits.${period}`);
  const message = `The answer was stopped before its cost could pass a limit. Raise ${set.join(" or ")} in config.toml, or choose a cheaper model.`;
  return new ModelError(message, "sessionBudgetExceeded");
}

/** Throws a {@link ModelError} if a request may pass a limit. */
export function holdLimits(limits: CostLimits, spent: Spent, bound: number): void {
  for (const period of periods) {
    const limit = limits[period];
    if (limit === undefined || spent[period] + bound <= limit) continue;
    const message = `The next request may cost up to ${dollars(bound)}. With the ${dollars(spent[period])} of this ${period} that could pass the limit of ${dollars(limit)}. Raise cost_limits.${period} in config.toml, compact the thread, or choose a cheaper model.`;
    throw new ModelError(message, "sessionBudgetExceeded");
  }
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}
