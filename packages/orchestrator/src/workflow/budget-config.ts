import type { Settings } from "./settings.ts";

/** Limits of what is used; null where there is none. */
export interface Limits {
  readonly runs: number | null;
  readonly turns: number | null;
  readonly tokens: number | null;
  readonly usd: number | null;
}

/** Limits of an issue over all its rounds, and of a day over all issues. */
export interface BudgetConfig {
  readonly perIssue: Limits;
  readonly perDay: Limits;
  /** Price of a million tokens, in US dollars. */
  readonly price: { readonly input: number; readonly output: number };
  /** Runs in a row that may fail for the same reason before nothing new begins; null: any number. */
  readonly sameFailures: number | null;
  /** Settings as they are written, which a person agrees to. */
  readonly guarded: Readonly<Record<string, unknown>>;
}

/** Names of all its settings. */
export const limitNames = ["runs", "turns", "tokens", "usd"] as const;

/** Reads `budget`. */
export function parseBudget(settings: Settings): BudgetConfig {
  const limits = (section: Settings): Limits => ({
    runs: section.amount("runs"),
    turns: section.amount("turns"),
    tokens: section.amount("tokens"),
    usd: section.amount("usd"),
  });
  const price = settings.section("price_per_million");
  return {
    perIssue: limits(settings.section("per_issue")),
    perDay: limits(settings.section("per_day")),
    price: { input: price.amount("input") ?? 0, output: price.amount("output") ?? 0 },
    sameFailures: settings.amount("same_failures"),
    guarded: Object.fromEntries(settings.keys().map((name) => [`budget.${name}`, settings.raw(name)])),
  };
}
