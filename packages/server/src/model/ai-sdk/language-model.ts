import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { toV3 } from "./prompt-v3.ts";

/** A model of the AI SDK: an object of any of its provider packages, or of your own. */
export type LanguageModel = LanguageModelV3 | LanguageModelV4;

/** Packages for Responses have answers kept by the provider unless told otherwise, and refer to them later. */
const unkept = { openai: { store: false }, azure: { store: false }, xai: { store: false } };

/** Starts a response. Both versions of the interface stream the same parts. */
export async function startStream(
  model: LanguageModel,
  given: LanguageModelV4CallOptions,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  // Their providers may have any name, but end so.
  const options = model.provider.endsWith(".responses") ? { ...given, providerOptions: unkept } : given;
  if (model.specificationVersion === "v4") return (await model.doStream(options)).stream;
  const older: LanguageModelV3CallOptions = toV3(options);
  return (await model.doStream(older)).stream as ReadableStream<LanguageModelV4StreamPart>;
}
