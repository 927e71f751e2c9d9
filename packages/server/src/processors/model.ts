import { listedModel, listModels } from "../config/catalogue.ts";
import type { EffectiveConfig } from "../config/effective-config.ts";
import type { Handlers } from "../context/processor.ts";
import type { ServerContext } from "../context/server-context.ts";
import { coreOf } from "../features/open-core.ts";
import { invalidRequest } from "../lib/rpc-errors.ts";
import { knowsDialect } from "../model/dialect/knows-dialect.ts";
import { namedProvider } from "./model-providers.ts";

/** Models that can be chosen. */
export const handlers: Handlers = {
  "model/list": async ({ includeHidden, limit, cursor, modelProvider }, { server }) => {
    const provider = namedProvider(server, modelProvider);
    const config = coreOf(server).config.lasting({ cwd: process.cwd() });
    // Without a name the list is Codex's, and nobody is asked.
    const asks = typeof modelProvider === "string" && provider.baseUrl !== null && !knowsDialect(provider);
    const listed = asks ? await listOf(server, { ...config, provider }) : undefined;
    const all = listed ?? listModels({ includeHidden: includeHidden === true, defaultModel: config.model });
    const start = cursor ? Number(cursor) : 0;
    if (!Number.isInteger(start) || start < 0 || start > all.length) throw invalidRequest(`invalid cursor: ${cursor}`);
    const end = start + Math.max(1, limit ?? all.length);
    return { data: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
  },
};

/** The models of a provider that lists its own; `undefined` if it cannot be asked and never could. */
async function listOf(server: ServerContext, config: EffectiveConfig) {
  const { factsOf } = await import("../config/models/facts-memory.ts");
  const { modelsOf } = await import("./provider-models.ts");
  const { home } = server;
  const { provider, raw } = config;
  const models = await modelsOf(server, provider);
  if (models.length === 0) return undefined;
  const isDefault = (id: string) => provider.id === config.modelProvider && id === config.model;
  return models.map(({ id }) => listedModel(id, factsOf({ home, raw, provider }, id), isDefault(id)));
}
