import type { Model } from "@quire/protocol";
import { listedModel, listModels } from "../config/catalogue.ts";
import type { EffectiveConfig, ProviderConfig } from "../config/effective-config.ts";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { coreOf } from "../features/open-core.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { hasOwnModels, knowsDialect } from "../model/dialect/knows-dialect.ts";
import { namedProvider } from "./model-providers.ts";

/** Models that can be chosen. */
export const handlers: Handlers = {
  "model/list": async ({ includeHidden, limit, cursor, modelProvider }, { server }) => {
    const provider = namedProvider(server, modelProvider);
    const config = coreOf(server).config.lasting({ cwd: process.cwd() });
    const isNamed = typeof modelProvider === "string";
    const hasOwn = isNamed ? !knowsDialect(provider) : await isForeign(server, provider);
    const listed = hasOwn ? await listOf(server, { ...config, provider }, isNamed) : undefined;
    const all = listed ?? listModels({ includeHidden: includeHidden === true, defaultModel: config.model });
    const start = cursor ? Number(cursor) : 0;
    if (!Number.isInteger(start) || start < 0 || start > all.length) throw invalidRequest(`invalid cursor: ${cursor}`);
    const end = start + Math.max(1, limit ?? all.length);
    return { data: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
  },
};

/** True for a provider in use that has none of Codex's models. Any other may have them: nobody is asked, as in Codex. */
async function isForeign({ home }: ServerContext, provider: ProviderConfig): Promise<boolean> {
  if (hasOwnModels(provider)) return true;
  if (knowsDialect(provider)) return false;
  const { DialectMemory } = await import("../model/dialect/dialect-memory.ts");
  return new DialectMemory(home).of(provider) !== undefined;
}

/** The models of a provider that lists its own; `undefined` if it was named, cannot be asked and never could. */
async function listOf(server: ServerContext, config: EffectiveConfig, isNamed: boolean): Promise<Model[] | undefined> {
  const { factsOf } = await import("../config/models/facts-memory.ts");
  const { modelsOf } = await import("./provider-models.ts");
  const { home } = server;
  const { provider, raw, model } = config;
  const ids = provider.baseUrl === null ? [] : (await modelsOf(server, provider, isNamed)).map(({ id }) => id);
  if (isNamed && ids.length === 0) return undefined;
  const isInUse = provider.id === config.modelProvider;
  // Clients show the model in use from this list, also one that its provider does not list.
  const all = isNamed || ids.includes(model) ? ids : [model, ...ids];
  return all.map((id) => listedModel(id, factsOf({ home, raw, provider }, id), isInUse && id === model));
}
