import type { ProviderConfig } from "../../config/effective-config.ts";
import type { ModelProvider } from "../model-provider.ts";
import { Refusal } from "../responses/refusal.ts";
import { type ResponsesOptions, responsesProvider } from "../responses/responses-provider.ts";
import type { Without } from "./optional-fields.ts";
import { plainBody } from "./plain-body.ts";
import { PlainSink } from "./plain-sink.ts";
import { PlainTools } from "./plain-tools.ts";
import { refusedField, refusesForm } from "./refused-form.ts";

/** Options of {@link plainProvider}. */
export interface PlainOptions extends ResponsesOptions {
  /** Fields that the provider is known to refuse. */
  readonly without: Without;
  /** Called when it has begun to answer, with the fields that it has refused. */
  readonly learned: (without: Without) => void;
}

/** A provider that speaks the Responses API in its plain form. Fields that it refuses by name are left out. */
export function plainProvider(config: ProviderConfig, { without, learned, ...options }: PlainOptions): ModelProvider {
  return {
    id: config.id,
    async stream(request, sink, signal) {
      const tools = new PlainTools(request.tools, { input: request.input, hosted: new Set(config.hostedTools) });
      const body = () => plainBody(request, tools, without);
      const provider = responsesProvider(config, { ...options, body, refuses: refusesForm });
      try {
        return await provider.stream(request, new PlainSink(sink, { tools, begun: () => learned(without) }), signal);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        const field = refusedField(error.failure, without);
        if (field === undefined) throw error.failure.toModelError();
        const plainer = plainProvider(config, { ...options, without: new Set([...without, field]), learned });
        return await plainer.stream(request, sink, signal);
      }
    },
  };
}
