import { chatgptUrl } from "../account/chatgpt-api.ts";
import type { ProviderConfig } from "../config/effective-config.ts";
import type { TokenCommand } from "../config/provider/token-command.ts";
import type { ModelProvider } from "../model/model-provider.ts";
import { openaiUrl, providerFor } from "../model/provider-for.ts";
import type { ProviderServices } from "../model/request-headers.ts";
import type { TokenAccess } from "../model/token-access.ts";
import type { Thread } from "../thread/thread.ts";
import { attestation } from "./attestation.ts";

/** The model provider of a thread, with the server's login for providers that ask for one. */
export function providerOf(thread: Thread): ModelProvider {
  return providerFor(providerConfigOf(thread), providerServicesOf(thread));
}

/** A thread's provider as it is set up, at the address that honours the login. */
export function providerConfigOf({ config, core }: Thread): ProviderConfig {
  const { provider } = config;
  // ChatGPT's tokens are honoured by ChatGPT alone.
  const atChatgpt = provider.id === "openai" && provider.baseUrl === openaiUrl && core.account.accountId !== null;
  return { ...provider, baseUrl: atChatgpt ? `${chatgptUrl(config.raw)}/codex` : provider.baseUrl };
}

/** Loaded only for providers behind a gateway. */
function gatewayAccess({ config: { provider }, core: { server } }: Thread): TokenAccess {
  const gateways = async () => (await import("../account/gateway/gateways.ts")).gatewaysOf(server);
  return {
    token: async () => (await gateways()).token(provider),
    renew: async (refused) => (await gateways()).renew(provider, refused),
  };
}

/** Loaded only for providers whose token a program prints. */
function printedAccess({ config: { provider }, core: { server } }: Thread, command: TokenCommand): TokenAccess {
  const printed = async () => (await import("../model/printed-token.ts")).printedToken(server, provider, command);
  return {
    token: async () => (await printed()).token(),
    renew: async (refused) => (await printed()).renew(refused),
  };
}

/** The services of a thread's provider. */
export function providerServicesOf(thread: Thread): ProviderServices {
  const { core, record } = thread;
  const { gatewayOauth, tokenCommand } = thread.config.provider;
  const { account } = core;
  return {
    env: core.server.env,
    originator: record.meta.originator,
    auth: () => account.token(),
    authHeaders: () => account.headers,
    attest: async () => (account.mode === "apikey" ? null : attestation(thread)),
    ...(gatewayOauth && { gateway: gatewayAccess(thread) }),
    ...(tokenCommand && { printed: printedAccess(thread, tokenCommand) }),
    renewAuth: (refused) => account.renew("unauthorized_recovery", refused),
  };
}
