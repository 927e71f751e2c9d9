import type { ProviderConfig } from "../../config/effective-config.ts";
import type { ModelProvider, ModelSink } from "../model-provider.ts";
import type { Without } from "../plain/optional-fields.ts";
import { refusesForm } from "../plain/refused-form.ts";
import { Refusal } from "../responses/refusal.ts";
import { type ResponsesOptions, responsesProvider } from "../responses/responses-provider.ts";
import { DialectMemory } from "./dialect-memory.ts";

/**
 * A provider at an address that may not know all of OpenAI's dialect. It is asked in full first; one that refuses the
 * form is asked again in the plain form, and from then on.
 */
export function dialectProvider(config: ProviderConfig, options: ResponsesOptions): ModelProvider {
  const memory = new DialectMemory(options.home);
  const full = responsesProvider(config, { ...options, refuses: refusesForm });
  const plain = async (without: Without, learned: (without: Without) => void) => {
    const { plainProvider } = await import("../plain/plain-provider.ts");
    return plainProvider(config, { ...options, without, learned });
  };
  const keep = (without: Without): void => {
    try {
      memory.keep(config, without);
    } catch {
      // It is found out again next time.
    }
  };
  const tell = (sink: ModelSink) => sink.notice?.({ kind: "plainer", provider: config });
  return {
    id: config.id,
    async stream(request, sink, signal) {
      const known = memory.of(config) ?? (config.dialect === "plain" ? new Set<never>() : undefined);
      if (known) {
        const learned = (without: Without) => without !== known && keep(without);
        return await (await plain(known, learned)).stream(request, sink, signal);
      }
      try {
        return await full.stream(request, sink, signal);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const learned = (without: Without) => {
          keep(without);
          tell(sink);
        };
        return await (await plain(new Set(), learned)).stream(request, sink, signal);
      }
    },
  };
}
