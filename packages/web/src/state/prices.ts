import type { TokenUsageBreakdown } from "@quire/protocol";
import { useSyncExternalStore } from "react";

/** Prices of a model in US dollars per million tokens. */
export interface ModelPrice {
  readonly input: number;
  readonly cached: number;
  readonly output: number;
}

/** Prices by model, as the user entered them in this browser. */
export type Prices = Readonly<Record<string, ModelPrice>>;

const storageKey = "quire.prices";
/** Models whose prices are kept. */
const limit = 100;
const listeners = new Set<() => void>();
let current: Prices | undefined;

/** The prices, for a component. */
export function usePrices(): Prices {
  return useSyncExternalStore(subscribe, readPrices);
}

/** Changes the price of a model; null forgets it. */
export function setPrice(model: string, price: ModelPrice | null): void {
  const others = Object.entries(readPrices()).filter(([name]) => name !== model);
  current = Object.fromEntries(price === null ? others : [...others, [model, price] as const].slice(-limit));
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // It then holds until the page is reloaded.
  }
  for (const listener of listeners) listener();
}

/** Dollars that tokens cost; null where the price of the model is not known. */
export function costOf(usage: TokenUsageBreakdown, price: ModelPrice | undefined): number | null {
  if (price === undefined) return null;
  const fresh = Math.max(0, usage.inputTokens - usage.cachedInputTokens);
  return (fresh * price.input + usage.cachedInputTokens * price.cached + usage.outputTokens * price.output) / 1e6;
}

/** An amount of dollars, with as many digits as tell something. */
export function dollars(amount: number): string {
  if (amount > 0 && amount < 0.0001) return "<$0.0001";
  return `$${amount.toFixed(amount >= 1 ? 2 : 4)}`;
}

function readPrices(): Prices {
  current ??= stored();
  return current;
}

function subscribe(listener: () => void): () => void {
  const elsewhere = (event: StorageEvent): void => {
    if (event.key !== storageKey) return;
    current = undefined;
    listener();
  };
  listeners.add(listener);
  addEventListener("storage", elsewhere);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", elsewhere);
  };
}

function stored(): Prices {
  try {
    const entries = Object.entries(JSON.parse(localStorage.getItem(storageKey) ?? "{}") as Record<string, unknown>);
    return Object.fromEntries(entries.flatMap(([model, value]) => (isPrice(value) ? [[model, value] as const] : [])));
  } catch {
    return {};
  }
}

function isPrice(value: unknown): value is ModelPrice {
  if (typeof value !== "object" || value === null) return false;
  const { input, cached, output } = value as Record<string, unknown>;
  return [input, cached, output].every((price) => typeof price === "number" && price >= 0);
}
