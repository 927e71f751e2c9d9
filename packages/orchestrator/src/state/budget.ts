import type { RunError } from "../events/run-error.ts";
import type { TokenCounts } from "../events/snapshot.ts";
import type { Clock } from "../lib/clock.ts";
import type { BudgetConfig, Limits } from "../workflow/budget-config.ts";

/** Usage of an issue. */
export interface Spent {
  readonly runs: number;
  readonly turns: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Usage of one day, in UTC. */
export interface DaySpent extends Spent {
  readonly day: string;
}

/** The day that it is, in UTC. */
export const dayOf = (clock: Clock): string => new Date(clock.now()).toISOString().slice(0, 10);

/** Adds a run that has ended to the usage of a day. */
export function addToDay(before: DaySpent | undefined, day: string, more: Omit<Spent, "runs">): DaySpent {
  const { runs, turns, inputTokens, outputTokens } = before?.day === day ? before : nothing;
  return {
    day,
    runs: runs + 1,
    turns: turns + more.turns,
    inputTokens: inputTokens + more.inputTokens,
    outputTokens: outputTokens + more.outputTokens,
  };
}

const nothing: Spent = { runs: 0, turns: 0, inputTokens: 0, outputTokens: 0 };

/** Why an issue may not go on; undefined where it may. */
export function overIssueBudget(spent: Spent, { perIssue, price }: BudgetConfig): RunError | undefined {
  return over(spent, perIssue, { name: "per_issue", price });
}

/** Why nothing more may begin today; undefined where it may. */
export function overDayBudget(spent: DaySpent | undefined, clock: Clock, config: BudgetConfig): RunError | undefined {
  if (spent?.day !== dayOf(clock)) return undefined;
  return over(spent, config.perDay, { name: "per_day", price: config.price });
}

/** US dollars that tokens cost. */
export function costOf(
  { inputTokens, outputTokens }: Omit<TokenCounts, "totalTokens">,
  price: BudgetConfig["price"],
): number {
  return (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}

function over(
  spent: Spent,
  limits: Limits,
  { name, price }: { readonly name: string; readonly price: BudgetConfig["price"] },
): RunError | undefined {
  const usd = costOf(spent, price);
  const used = { runs: spent.runs, turns: spent.turns, tokens: spent.inputTokens + spent.outputTokens, usd };
  for (const key of ["runs", "turns", "tokens", "usd"] as const) {
    const limit = limits[key];
    if (limit === null || used[key] < limit) continue;
    const count = key === "usd" ? `${used.usd.toFixed(2)} US dollars` : `${used[key]} ${key}`;
    return {
      code: "over_budget",
      message: `${count} were used, and budget.${name}.${key} is ${limit}: raise it to go on`,
    };
  }
  return undefined;
}
