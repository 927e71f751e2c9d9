import type { TokenUsageBreakdown } from "@quire/protocol";
import { formatCount } from "../items/format.ts";

/** Tokens of a turn: `12.3k in, 1.2k out`. */
export const usageText = ({ inputTokens, outputTokens }: TokenUsageBreakdown): string =>
  `${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out`;

/** The same in full, for a tooltip. */
export function usageDetails(usage: TokenUsageBreakdown): string {
  return [
    `${usage.inputTokens} input tokens, of them ${usage.cachedInputTokens} cached`,
    `${usage.outputTokens} output tokens, of them ${usage.reasoningOutputTokens} reasoning`,
  ].join("\n");
}
