import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TokenUsageBreakdown } from "@quire/protocol";

/** Tokens as the AI SDK reports them; `null` where it reports none. */
export function sdkUsage({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsageBreakdown | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  const input = inputTokens.total ?? 0;
  const output = outputTokens.total ?? 0;
  return {
    totalTokens: input + output,
    inputTokens: input,
    cachedInputTokens: inputTokens.cacheRead ?? 0,
    cacheWriteInputTokens: inputTokens.cacheWrite ?? 0,
    outputTokens: output,
    reasoningOutputTokens: outputTokens.reasoning ?? 0,
  };
}
