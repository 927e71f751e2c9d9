import { withRetries } from "../attempt/retry-loop.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { ModelProvider } from "../model-provider.ts";
import { prepareCall, streamSdk } from "./ai-sdk-provider.ts";
import { takesCacheMarks } from "./cache-marks.ts";
import type { EmbeddedModel } from "./embedded-models.ts";
import { isLanguageModel } from "./is-language-model.ts";

const limits = { requestMaxRetries: 4, streamMaxRetries: 5 } as const;
const idleTimeoutMs = 300_000;

/** The provider for a model that was given in code. */
export function embeddedProvider(id: string, given: EmbeddedModel, clock: Clock = systemClock): ModelProvider {
  if (!isLanguageModel(given)) return given;
  const isAnthropic = given.provider.startsWith("anthropic");
  return {
    id,
    stream(request, sink, signal) {
      const marksCache = takesCacheMarks(given.provider, given.modelId);
      const traits = { summarizes: true, imagesInOutputs: isAnthropic, marksCache };
      const call = prepareCall(request, id, traits);
      const what = { model: given, provider: id, traits, idleTimeoutMs, clock, call };
      return withRetries(() => streamSdk(what, sink, signal), { config: limits, clock, sink, signal });
    },
  };
}
