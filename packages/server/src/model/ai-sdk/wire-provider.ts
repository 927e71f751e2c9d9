import type { ProviderConfig, WireChoice } from "../../config/effective-config.ts";
import { withRetries } from "../attempt/retry-loop.ts";
import { type Clock, systemClock } from "../clock.ts";
import { withLogin } from "../login/with-login.ts";
import type { ModelProvider } from "../model-provider.ts";
import { type ProviderServices, providerHeaders } from "../request-headers.ts";
import { prepareCall, streamSdk } from "./ai-sdk-provider.ts";
import { takesCacheMarks } from "./cache-marks.ts";
import { traitsWithout, type WireTraits } from "./call-options.ts";
import { withoutRefusedParts } from "./refused-parts.ts";
import { wireFetch } from "./wire-fetch.ts";
import { askWith, wireModel } from "./wire-models.ts";

/** A provider of the configuration that speaks another wire than the Responses API. */
export function wireProvider(
  config: ProviderConfig & { readonly wire: WireChoice },
  services: ProviderServices & { readonly clock?: Clock | undefined },
): ModelProvider {
  const clock = services.clock ?? systemClock;
  const { id: provider, streamIdleTimeoutMs: idleTimeoutMs } = config;
  return {
    id: provider,
    stream(request, sink, signal) {
      return withoutRefusedParts({ address: config.baseUrl, request }, (refused) => {
        const traits = traitsWithout(traitsOf(config, request.model), refused);
        const asked = refused.has("effort") ? { ...request, effort: null } : request;
        const call = prepareCall(asked, provider, traits);
        const once = async () => {
          const fetch = wireFetch({ config, services, request, sink });
          const key = async () => (await providerHeaders(config, services)).authorization?.replace(/^Bearer /, "");
          const model = await wireModel(config, request.model, { key, includeUsage: !refused.has("usage") });
          const what = { model, provider, traits, idleTimeoutMs, clock, call };
          return await askWith(fetch, () => streamSdk(what, sink, signal));
        };
        const login = { config, services, sink, signal };
        return withRetries(() => withLogin(login, once), { config, clock, sink, signal });
      });
    },
  };
}

/** Enough for a long patch, and within the bounds of the models of other makers behind this API. */
const assumedOutputTokens = 16_384;

function traitsOf(
  { wire, maxOutputTokens: own }: ProviderConfig & { readonly wire: WireChoice },
  model: string,
): WireTraits {
  const isAnthropic = wire === "anthropic" || (typeof wire === "object" && wire.package === "@ai-sdk/anthropic");
  // The package knows the bounds of Anthropic's own models.
  const assumed = isAnthropic && !model.includes("claude") ? assumedOutputTokens : undefined;
  return {
    summarizes: wire !== "chat",
    imagesInOutputs: isAnthropic,
    marksCache: takesCacheMarks(typeof wire === "object" ? wire.package : wire, model),
    maxOutputTokens: own ?? assumed,
  };
}
