import type { ProviderConfig } from "../config/effective-config.ts";
import type { ModelProvider } from "./model-provider.ts";
import type { ResponsesOptions } from "./responses-provider.ts";

/** The address of the built-in provider `openai`. */
export const openaiUrl = "https://api.openai.com/v1";

/** Importing a loaded module again takes longer than the rest of finding a provider. */
let responses: Promise<typeof import("./responses-provider.ts")> | undefined;

/** The provider for a configuration: the offline model without an address. Loads a provider's code on use. */
export function providerFor(provider: ProviderConfig, services: ResponsesOptions): ModelProvider {
  const load = async (): Promise<ModelProvider> => {
    if (provider.baseUrl === null) {
      const { offlineProvider } = await import("./offline/offline-provider.ts");
      return offlineProvider(services.clock);
    }
    responses ??= import("./responses-provider.ts");
    const { responsesProvider } = await responses;
    return responsesProvider(provider, services);
  };
  return {
    id: provider.id,
    stream: async (request, sink, signal) => await (await load()).stream(request, sink, signal),
  };
}
