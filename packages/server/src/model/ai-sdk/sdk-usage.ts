import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { TokenUsageBreakdown } from "@quire/protocol";

/** Tokens as the AI SDK reports them; `null` where it reports none. */
export function sdkUsage({ inputTokens, outputTokens, raw }: LanguageModelV4Usage): TokenUsageBreakdown | null {
  if (inputTokens.total === undefined && outputTokens.total === undefined) return null;
  const input = inputTokens.total ?? 0;
  const output = outputTokens.total ?? 0;
  return {
    totalTokens: input + output,
    inputTokens: input,
    cachedInputTokens: inputTokens.cacheRead || Math.min(input, hits(raw)),
    cacheWriteInputTokens: inputTokens.cacheWrite ?? 0,
    outputTokens: output,
    reasoningOutputTokens: outputTokens.reasoning ?? 0,
  };
}

/** DeepSeek's word for tokens from its cache, which the package for compatible endpoints does not know. */
function hits(raw: LanguageModelV4Usage["raw"]): number {
  const value = raw?.prompt_cache_hit_tokens;
  return typeof value === "number" && value > 0 ? value : 0;
}
