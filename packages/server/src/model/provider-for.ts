import type { ProviderConfig } from "../config/effective-config.ts";
import { knowsDialect } from "./dialect/knows-dialect.ts";
import type { ModelProvider } from "./model-provider.ts";
import type { ResponsesOptions } from "./responses/responses-provider.ts";

/** The address of the built-in provider `openai`. */
export const openaiUrl = "https://api.openai.com/v1";

/** Importing a loaded module again takes longer than the rest of finding a provider. */
let responses: Promise<typeof import("./responses/responses-provider.ts")> | undefined;
let wires: Promise<typeof import("./ai-sdk/wire-provider.ts")> | undefined;
let dialects: Promise<typeof import("./dialect/dialect-provider.ts")> | undefined;

/** The provider for a configuration: the offline model without an address. Loads a provider's code on use. */
export function providerFor(provider: ProviderConfig, services: ResponsesOptions): ModelProvider {
  const load = async (): Promise<ModelProvider> => {
    const { wire } = provider;
    if (wire !== undefined) {
      wires ??= import("./ai-sdk/wire-provider.ts");
      const { wireProvider } = await wires;
      return wireProvider({ ...provider, wire }, services);
    }
    if (provider.baseUrl === null) {
      const { offlineProvider } = await import("./offline/offline-provider.ts");
      return offlineProvider(services.clock);
    }
    if (!knowsDialect(provider)) {
      dialects ??= import("./dialect/dialect-provider.ts");
      const { dialectProvider } = await dialects;
      return dialectProvider(provider, services);
    }
    responses ??= import("./responses/responses-provider.ts");
    const { responsesProvider } = await responses;
    return responsesProvider(provider, services);
  };
  return lazyProvider(provider.id, load);
}

/** A provider whose code is loaded on use. */
export function lazyProvider(id: string, load: () => Promise<ModelProvider>): ModelProvider {
  return { id, stream: async (request, sink, signal) => await (await load()).stream(request, sink, signal) };
}
