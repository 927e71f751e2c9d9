import { chatgptUrl } from "../account/chatgpt-api.ts";
import type { ProviderConfig } from "../config/effective-config.ts";
import { offlineProviderId } from "../config/provider/providers.ts";
import type { TokenCommand } from "../config/provider/token-command.ts";
import { embeddedModels } from "../model/ai-sdk/embedded-models.ts";
import { knowsDialect } from "../model/dialect/knows-dialect.ts";
import { hasImages } from "../model/leave-out-images.ts";
import type { TokenAccess } from "../model/login/token-access.ts";
import type { ModelProvider } from "../model/model-provider.ts";
import { lazyProvider, openaiUrl, providerFor } from "../model/provider-for.ts";
import type { ProviderServices } from "../model/request-headers.ts";
import type { Thread } from "../thread/thread.ts";
import { attestation } from "./attestation.ts";
import { type ModelRole, type Route, routesOf } from "./route.ts";

/**
 * The model provider of a thread, or that of some work of it, with the server's login for providers that ask for one.
 * Routes beyond the thread's own provider are loaded only where the configuration has any.
 */
export function providerOf(thread: Thread, role?: ModelRole): ModelProvider {
  const [first, ...others] = routesOf(thread, role);
  if (first.provider === thread.config.provider && first.model === null && others.length === 0)
    return openProvider(thread, first.provider);
  const open = (route: Route) => ({ route, provider: openProvider(thread, route.provider) });
  return lazyProvider(first.provider.id, async () => {
    const { routedProvider } = await import("./routed-provider.ts");
    return routedProvider(thread, [open(first), ...others.map(open)]);
  });
}

function openProvider(thread: Thread, provider: ProviderConfig): ModelProvider {
  const { id } = provider;
  const given = thread.core.server.services.get(embeddedModels).get(id);
  if (given) {
    const embedded = lazyProvider(id, async () =>
      (await import("../model/ai-sdk/embedded-provider.ts")).embeddedProvider(id, given),
    );
    return sighted(thread, provider, paid(thread, provider, embedded));
  }
  const open = providerFor(providerConfigOf(thread, provider), providerServicesOf(thread, provider));
  return sighted(thread, provider, paid(thread, provider, open));
}

/** Leaves out images for models that take none. Those of OpenAI all do. */
function sighted(thread: Thread, config: ProviderConfig, provider: ModelProvider): ModelProvider {
  if (knowsDialect(config) || config.id === offlineProviderId) return provider;
  return {
    id: provider.id,
    async stream(request, sink, signal) {
      if (!hasImages(request.input)) return await provider.stream(request, sink, signal);
      const { sightedProvider } = await import("./sighted-provider.ts");
      return await sightedProvider(thread, config, provider).stream(request, sink, signal);
    },
  };
}

/** Importing a loaded module again takes longer than the rest of finding a provider. */
let metered: Promise<typeof import("./costs/metered-provider.ts")> | undefined;

/** Counts costs where the configuration or the provider may say prices. */
function paid(thread: Thread, config: ProviderConfig, provider: ModelProvider): ModelProvider {
  const { raw } = thread.config;
  const mayCost = raw.cost_limits !== undefined || raw.models !== undefined || !knowsDialect(config);
  if (!mayCost || config.id === offlineProviderId) return provider;
  return lazyProvider(config.id, async () => {
    metered ??= import("./costs/metered-provider.ts");
    const { meteredProvider } = await metered;
    return meteredProvider(thread, config, provider);
  });
}

/** A provider as it is set up, at the address that honours the login. Default: the thread's. */
export function providerConfigOf(thread: Thread, provider: ProviderConfig = thread.config.provider): ProviderConfig {
  const { config, core } = thread;
  // ChatGPT's tokens are honoured by ChatGPT alone.
  const atChatgpt = provider.id === "openai" && provider.baseUrl === openaiUrl && core.account.accountId !== null;
  return { ...provider, baseUrl: atChatgpt ? `${chatgptUrl(config.raw)}/codex` : provider.baseUrl };
}

/** Loaded only for providers behind a gateway. */
function gatewayAccess({ core: { server } }: Thread, provider: ProviderConfig): TokenAccess {
  const gateways = async () => (await import("../account/gateway/gateways.ts")).gatewaysOf(server);
  return {
    token: async () => (await gateways()).token(provider),
    renew: async (refused) => (await gateways()).renew(provider, refused),
  };
}

/** Loaded only for providers whose token a program prints. */
function printedAccess({ core: { server } }: Thread, provider: ProviderConfig, command: TokenCommand): TokenAccess {
  const printed = async () => (await import("../model/login/printed-token.ts")).printedToken(server, provider, command);
  return {
    token: async () => (await printed()).token(),
    renew: async (refused) => (await printed()).renew(refused),
  };
}

/** The services of a provider. Default: the thread's. */
export function providerServicesOf(
  thread: Thread,
  provider: ProviderConfig = thread.config.provider,
): ProviderServices {
  const { core, record } = thread;
  const { gatewayOauth, tokenCommand } = provider;
  const { account } = core;
  return {
    env: core.server.env,
    home: core.server.home,
    originator: record.meta.originator,
    auth: () => account.token(),
    authHeaders: () => account.headers,
    attest: async () => (account.mode === "apikey" ? null : attestation(thread)),
    ...(gatewayOauth && { gateway: gatewayAccess(thread, provider) }),
    ...(tokenCommand && { printed: printedAccess(thread, provider, tokenCommand) }),
    renewAuth: (refused) => account.renew("unauthorized_recovery", refused),
  };
}
