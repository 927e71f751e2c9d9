import { withRetries } from "../attempt/retry-loop.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { ModelProvider } from "../model-provider.ts";
import { prepareCall, streamSdk } from "./ai-sdk-provider.ts";
import { takesCacheMarks } from "./cache-marks.ts";
import { traitsWithout } from "./call-options.ts";
import type { EmbeddedModel } from "./embedded-models.ts";
import { isLanguageModel } from "./is-language-model.ts";
import { withoutRefusedParts } from "./refused-parts.ts";

const limits = { requestMaxRetries: 4, streamMaxRetries: 5 } as const;
const idleTimeoutMs = 300_000;

/** The provider for a model that was given in code. */
export function embeddedProvider(id: string, given: EmbeddedModel, clock: Clock = systemClock): ModelProvider {
  if (!isLanguageModel(given)) return given;
  const isAnthropic = given.provider.startsWith("anthropic");
  return {
    id,
    stream(request, sink, signal) {
      return withoutRefusedParts({ address: `${id} ${given.provider}`, request }, (refused) => {
        const marksCache = takesCacheMarks(given.provider, given.modelId);
        const traits = traitsWithout({ summarizes: true, imagesInOutputs: isAnthropic, marksCache }, refused);
        const asked = refused.has("effort") ? { ...request, effort: null } : request;
        const call = prepareCall(asked, id, traits);
        const what = { model: given, provider: id, traits, idleTimeoutMs, clock, call };
        return withRetries(() => streamSdk(what, sink, signal), { config: limits, clock, sink, signal });
      });
    },
  };
}
