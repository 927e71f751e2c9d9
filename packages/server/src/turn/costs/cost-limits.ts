import { type ModelFacts, price } from "../../config/models/model-facts.ts";
import { isTable } from "../../lib/table.ts";
import { ModelError, type ModelRequest } from "../../model/model-provider.ts";

/** The most that may be spent, in US dollars: `[cost_limits]`. */
export type CostLimits = { readonly [period in "turn" | "thread" | "day"]?: number | undefined };

/** Amounts by the period of a limit. */
export type Spent = { readonly [period in "turn" | "thread" | "day"]: number };

/** Assumed for models whose longest answer is not known. */
const assumedOutput = 8192;

/** The limits of a configuration; `undefined` when there are none. */
export function costLimits({ cost_limits: row }: Readonly<Record<string, unknown>>): CostLimits | undefined {
  if (!isTable(row)) return undefined;
  const limits = { turn: price(row.turn), thread: price(row.thread), day: price(row.day) };
  return Object.values(limits).some((limit) => limit !== undefined) ? limits : undefined;
}

/** An upper bound of a request's cost: nothing of it cached, and the longest answer. */
export function dearest({ input, tools }: ModelRequest, { prices, outputLimit = assumedOutput }: ModelFacts): number {
  if (prices === undefined) return 0;
  // Text of few words has three characters to a token.
  const tokens = (JSON.stringify(input).length + JSON.stringify(tools).length) / 3;
  const write = Math.max(prices.input, prices.cacheWrite ?? 0);
  return (tokens * write + outputLimit * prices.output) / 1_000_000;
}

/** Throws a {@link ModelError} if a request may pass a limit. */
export function holdLimits(limits: CostLimits, spent: Spent, bound: number): void {
  for (const period of ["turn", "thread", "day"] as const) {
    const limit = limits[period];
    if (limit === undefined || spent[period] + bound <= limit) continue;
    const message = `The next request may cost up to ${dollars(bound)}. With the ${dollars(spent[period])} of this ${period} that could pass the limit of ${dollars(limit)}. Raise cost_limits.${period} in config.toml, compact the thread, or choose a cheaper model.`;
    throw new ModelError(message, "sessionBudgetExceeded");
  }
}

function dollars(amount: number): string {
  return `$${amount.toFixed(amount < 0.1 ? 4 : 2)}`;
}
