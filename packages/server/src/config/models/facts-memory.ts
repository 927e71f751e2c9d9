import { join } from "node:path";
import { readRows, readRowsOnce, writePrivate } from "../../lib/private-file.ts";
import { isTable, ownValue } from "../../lib/table.ts";
import type { ProviderConfig } from "../effective-config.ts";
import { knownModel } from "./known-models.ts";
import { configuredFacts, type ModelFacts, mergeFacts } from "./model-facts.ts";

/** Providers whose lists are kept; the oldest are forgotten. */
const maxProviders = 50;

/** A model's name and the facts about it. */
export type ListedModel = ModelFacts & { readonly id: string };

const pathOf = (home: string): string => join(home, "model-lists.json");

/** The key of a provider at its address. Addresses may hold passwords, in the query too. */
export function providerKey({ id, baseUrl }: Pick<ProviderConfig, "id" | "baseUrl">): string {
  return `${id} ${(baseUrl ?? "").replace(/[?#][\s\S]*$/, "").replace(/^([a-z]+:\/\/)[^/]*@/i, "$1")}`;
}

/** The models that a provider listed when it was last asked; `undefined` if it never was. */
export function keptModels(home: string, provider: Pick<ProviderConfig, "id" | "baseUrl">): ListedModel[] | undefined {
  const rows = ownValue(readRowsOnce(pathOf(home)), providerKey(provider));
  if (!Array.isArray(rows)) return undefined;
  return rows.filter((row): row is ListedModel => isTable(row) && typeof row.id === "string");
}

/** Keeps a provider's list. Throws when the home cannot be written. */
export function keepModels(
  home: string,
  provider: Pick<ProviderConfig, "id" | "baseUrl">,
  models: readonly ListedModel[],
): void {
  const key = providerKey(provider);
  const others = Object.entries(readRows(pathOf(home))).filter(([known]) => known !== key);
  const rows = Object.fromEntries([...others.slice(1 - maxProviders), [key, models]]);
  writePrivate(pathOf(home), `${JSON.stringify(rows)}\n`);
}

/** Settings that facts are looked up with. */
export interface FactsQuery {
  readonly home: string;
  readonly raw: Readonly<Record<string, unknown>>;
  readonly provider: Pick<ProviderConfig, "id" | "baseUrl">;
}

/** All that is known of a model: from the user's configuration, else its provider, else the table of the project. */
export function factsOf({ home, raw, provider }: FactsQuery, model: string): ModelFacts {
  const { id: _, ...listed } = keptModels(home, provider)?.find(({ id }) => id === model) ?? { id: model };
  return mergeFacts(knownModel(model), listed, configuredFacts(raw, provider.id, model));
}
