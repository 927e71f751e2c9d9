import type { LanguageModelV3CallOptions, SharedV3Warning } from "@ai-sdk/provider";

const samplers = [
  "maxOutputTokens",
  "temperature",
  "stopSequences",
  "topP",
  "topK",
  "presencePenalty",
  "frequencyPenalty",
  "seed",
] as const satisfies readonly (keyof LanguageModelV3CallOptions)[];

/** Settings that Codex does not have: it chooses how its model samples. */
export function unsupportedSettings(options: LanguageModelV3CallOptions): SharedV3Warning[] {
  const { tools = [], toolChoice } = options;
  const warnings: SharedV3Warning[] = samplers
    .filter((name) => options[name] !== undefined)
    .map((feature) => ({ type: "unsupported", feature }));
  if (toolChoice?.type === "required" || toolChoice?.type === "tool") {
    const details = "Codex lets the model choose; ask for the tool in the prompt";
    warnings.push({ type: "unsupported", feature: `toolChoice "${toolChoice.type}"`, details });
  }
  for (const tool of tools) {
    if (tool.type === "provider") warnings.push({ type: "unsupported", feature: `provider tool "${tool.id}"` });
  }
  return warnings;
}
