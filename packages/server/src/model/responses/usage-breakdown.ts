import type { TokenUsageBreakdown } from "@quire/protocol";

/** Tokens as the Responses API reports them; `null` where it reports none. */
export function usageBreakdown(usage: unknown): TokenUsageBreakdown | null {
  if (typeof usage !== "object" || usage === null) return null;
  const fields: Fields = { ...usage };
  const input = count(fields.input_tokens);
  const output = count(fields.output_tokens);
  const inputDetails = nested(fields.input_tokens_details);
  return {
    totalTokens: typeof fields.total_tokens === "number" ? fields.total_tokens : input + output,
    inputTokens: input,
    cachedInputTokens: count(inputDetails.cached_tokens),
    cacheWriteInputTokens: count(inputDetails.cache_write_tokens),
    outputTokens: output,
    reasoningOutputTokens: count(nested(fields.output_tokens_details).reasoning_tokens),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function nested(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
