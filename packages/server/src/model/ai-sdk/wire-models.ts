import { AsyncLocalStorage } from "node:async_hooks";
import type { ProviderConfig, WireChoice } from "../../config/effective-config.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { Failure } from "../failure.ts";
import type { LanguageModel } from "./language-model.ts";
import { packageModel } from "./package-model.ts";
import type { WireFetch } from "./wire-fetch.ts";

/** Packages want a key when they are made. Where we know the wire, the fetch sends the right one. */
const placeholder = "set-by-quire";

/** The fetch of the attempt that runs. */
const current = new AsyncLocalStorage<WireFetch>();

/** Asks a model of {@link wireModel}, whose requests this fetch sends. */
export function askWith<T>(fetch: WireFetch, ask: () => Promise<T>): Promise<T> {
  return current.run(fetch, ask);
}

/** Sends a request of the attempt that runs: the models themselves are made once, and hold no key. */
const send: WireFetch = (input, init) => {
  const fetch = current.getStore();
  if (fetch === undefined) throw new Error("a model of a wire is asked outside of an attempt");
  return fetch(input, init);
};

/** A pure cache of models, by all that they are made of: a package takes most of a millisecond to make one. */
const made = new Map<string, LanguageModel>();

/** More models than threads use at a time. */
const maxMade = 100;

/** Means of a model. */
interface WireMeans {
  /** The key, for a package that alone knows where it goes. Without one, it looks in the environment. */
  readonly key: () => Promise<string | undefined>;
  /** False for an endpoint that refuses to be asked for the tokens that it used. */
  readonly includeUsage: boolean;
}

/** The model of a provider, from the package that knows its wire. Loads the package on first use. */
export async function wireModel(
  config: ProviderConfig & { readonly wire: WireChoice },
  model: string,
  means: WireMeans,
): Promise<LanguageModel> {
  const { wire, baseUrl, id } = config;
  // A package is given the key, which may be another one the next time.
  if (typeof wire === "object") return await makeModel(config, model, means);
  const at = JSON.stringify([wire, id, baseUrl, model, means.includeUsage]);
  const known = made.get(at) ?? (await makeModel(config, model, means));
  if (made.size >= maxMade) made.clear();
  made.set(at, known);
  return known;
}

async function makeModel(
  { wire, baseUrl, id: name }: ProviderConfig & { readonly wire: WireChoice },
  model: string,
  { key, includeUsage }: WireMeans,
): Promise<LanguageModel> {
  // The query of an address is added by the fetch.
  const baseURL = baseUrl?.split("?", 1)[0];
  // Packages declare the type of the whole `fetch`, and use this part.
  const given = { apiKey: placeholder, baseURL: baseURL ?? "", fetch: send as typeof globalThis.fetch };
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
