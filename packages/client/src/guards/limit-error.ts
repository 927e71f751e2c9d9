import type { TokenUsage } from "./token-usage.ts";

/** A limit of a budget. */
export type LimitName = "maxTurns" | "maxTotalTokens" | "maxCost" | "maxMs";

/** Everything that was spent of a budget. */
export interface Spent {
  readonly turns: number;
  readonly usage: TokenUsage;
  /** US dollars, of the turns whose prices are known. */
  readonly cost: number;
  /** Milliseconds since the first turn began. */
  readonly ms: number;
}

/** A limit of a budget was reached: a turn was interrupted or not started. */
export class LimitError extends Error {
  override readonly name: string = "LimitError";
  readonly limit: LimitName;
  readonly spent: Spent;

  constructor(limit: LimitName, most: number, spent: Spent) {
    const { turns, usage, cost, ms } = spent;
    const used = {
      maxTurns: `${turns} turns`,
      maxTotalTokens: `${usage.totalTokens} tokens`,
      maxCost: `$${cost.toFixed(4)}`,
      maxMs: `${ms} ms`,
    };
    super(`The budget is used up: ${used[limit]} of ${limit} ${most}`);
    this.limit = limit;
    this.spent = spent;
  }
}
