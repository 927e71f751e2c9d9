import type { ProviderConfig } from "../config/effective-config.ts";
import { keepModels, keptModels, type ListedModel, providerKey } from "../config/models/facts-memory.ts";
import type { ServerContext } from "../context/server-context.ts";
import { type Service, service } from "../context/services.ts";
import { coreOf } from "../features/open-core.ts";
import { fetchModels } from "../model/listing/fetch-models.ts";
import type { ProviderServices } from "../model/request-headers.ts";

/** A client that starts waits for no provider longer than this. */
const briefMs = 3000;

/** The models that a provider lists now, which are kept; else those that it listed last. */
export async function modelsOf(
  server: ServerContext,
  provider: ProviderConfig,
  isPatient: boolean,
): Promise<readonly ListedModel[]> {
  try {
    return await askModels(server, provider, isPatient ? undefined : briefMs);
  } catch (error) {
    server.log.warn("a provider's models could not be listed", error);
    return keptModels(server.home, provider) ?? [];
  }
}

/** Servers and providers that could not be asked when the first thread began: threads do not wait for them again. */
const away: Service<ServerContext, Set<string>> = service(() => new Set());

/**
 * Asks a provider for its models before the first thread on it, so that windows and prices count from the beginning, also
 * for clients that list no models. Returns `undefined` where there is nothing to wait for.
 */
export function learnModels(server: ServerContext, provider: ProviderConfig): Promise<unknown> | undefined {
  const { home, services } = server;
  const key = providerKey(provider);
  if (provider.baseUrl === null || keptModels(home, provider) !== undefined) return undefined;
  if (services.get(away).has(key)) return undefined;
  services.get(away).add(key);
  return modelsOf(server, provider, false);
}

/** The models that a provider lists now, which are kept. Rejects with the reason and a remedy. */
export async function askModels(
  server: ServerContext,
  provider: ProviderConfig,
  deadlineMs?: number,
): Promise<readonly ListedModel[]> {
  const models = await fetchModels(provider, await servicesOf(server, provider), deadlineMs);
  try {
    keepModels(server.home, provider, models);
  } catch (error) {
    server.log.warn("a provider's list of models could not be kept", error);
  }
  return models;
}

async function servicesOf(server: ServerContext, provider: ProviderConfig): Promise<ProviderServices> {
  const { account } = coreOf(server);
  const { gatewayOauth, tokenCommand } = provider;
  return {
    env: server.env,
    auth: () => account.token(),
    authHeaders: () => account.headers,
    ...(gatewayOauth && { gateway: await gatewayAccess(server, provider) }),
    ...(tokenCommand && {
      printed: (await import("../model/login/printed-token.ts")).printedToken(server, provider, tokenCommand),
    }),
  };
}

async function gatewayAccess(server: ServerContext, provider: ProviderConfig) {
  const gateways = (await import("../account/gateway/gateways.ts")).gatewaysOf(server);
  return {
    token: async () => gateways.token(provider),
    renew: async (refused: string) => gateways.renew(provider, refused),
  };
}
