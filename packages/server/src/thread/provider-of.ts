import { backendUrl } from "../account/backend.ts";
import type { ModelProvider } from "../model/model-provider.ts";
import { openaiUrl, providerFor } from "../model/provider-for.ts";
import type { Thread } from "./thread.ts";

/** The model provider of a thread, with the server's login for providers that ask for one. */
export function providerOf(thread: Thread): ModelProvider {
  const { config, core } = thread;
  const { account } = core;
  const { provider } = config;
  // ChatGPT's tokens are honoured by ChatGPT alone.
  const atChatgpt = provider.id === "openai" && provider.baseUrl === openaiUrl && account.accountId !== null;
  const baseUrl = atChatgpt ? `${backendUrl(config.raw)}/codex` : provider.baseUrl;
  return providerFor(
    { ...config, provider: { ...provider, baseUrl } },
    {
      env: core.server.env,
      originator: thread.record.meta.originator,
      auth: () => account.token(),
      authHeaders: () => account.headers,
      renewAuth: (refused) => account.renew("unauthorized_recovery", refused),
    },
  );
}
