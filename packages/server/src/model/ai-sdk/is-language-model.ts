import type { LanguageModel } from "./language-model.ts";

/** True for a model of the AI SDK in a version that we speak. */
export function isLanguageModel(value: object): value is LanguageModel {
  const version = "specificationVersion" in value ? value.specificationVersion : undefined;
  return "doStream" in value && (version === "v3" || version === "v4");
}
