import type { ProviderConfig, WireChoice } from "../../config/effective-config.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { Failure } from "../failure.ts";
import type { LanguageModel } from "./language-model.ts";
import { packageModel } from "./package-model.ts";
import type { WireFetch } from "./wire-fetch.ts";

/** Packages want a key when they are made. Where we know the wire, the fetch sends the right one. */
const placeholder = "set-by-quire";

/** Means of a model. */
interface WireMeans {
  readonly fetch: WireFetch;
  /** The key, for a package that alone knows where it goes. Without one, it looks in the environment. */
  readonly key: () => Promise<string | undefined>;
  /** False for an endpoint that refuses to be asked for the tokens that it used. */
  readonly includeUsage: boolean;
}

/** The model of a provider, from the package that knows its wire. Loads the package on first use. */
export async function wireModel(
  config: ProviderConfig & { readonly wire: WireChoice },
  model: string,
  { fetch, key, includeUsage }: WireMeans,
): Promise<LanguageModel> {
  const { wire, baseUrl, id: name } = config;
  // The query of an address is added by the fetch.
  const baseURL = baseUrl?.split("?", 1)[0];
  // Packages declare the type of the whole `fetch`, and use this part.
  const given = { apiKey: placeholder, baseURL: baseURL ?? "", fetch: fetch as typeof globalThis.fetch };
  // Asked of what is compatible with OpenAI; other packages do both unasked.
  const asked = { includeUsage, supportsStructuredOutputs: true };
  switch (wire) {
    case "chat": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({ ...given, name, ...asked })(model);
    }
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic(given)(model);
    }
    case "gemini": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle(given)(model);
    }
    default: {
      const apiKey = await key();
      return await packageModel(wire, model, { ...given, ...asked, apiKey, baseURL, name }).catch((error: unknown) => {
        throw new Failure(errorMessage(error), "other");
      });
    }
  }
}
