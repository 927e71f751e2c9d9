import type { TokenUsageBreakdown } from "@quire/protocol";
import { formatCount } from "../items/format.ts";
import { threadWords } from "../words/words.ts";

/** Tokens of a turn: `12.3k in, 1.2k out`. */
export const usageText = ({ inputTokens, outputTokens }: TokenUsageBreakdown): string =>
  threadWords.out(formatCount(inputTokens), formatCount(outputTokens));

/** The same in full, for a tooltip. */
export function usageDetails(usage: TokenUsageBreakdown): string {
  return [
    threadWords.inputTokensThemCached(usage.inputTokens, usage.cachedInputTokens),
    threadWords.outputTokensThemReasoning(usage.outputTokens, usage.reasoningOutputTokens),
  ].join("\n");
}
