import type { TokenUsageBreakdown } from "@quire/protocol";
import { formatCount } from "../items/format.ts";
import type { TurnState } from "../state/model.ts";

/**
 * Tokens of one turn. Servers tell those of the thread so far and those of the last request to the model; a turn may
 * make many, so the thread's count before it is subtracted where it is known.
 */
export function turnUsage(turn: TurnState, before: TurnState | null): TokenUsageBreakdown | null {
  if (turn.usage === null) return null;
  const { total, last } = turn.usage;
  const earlier = before?.usage?.total;
  if (earlier === undefined) return last.totalTokens > 0 ? last : null;
  const used = {
    cachedInputTokens: total.cachedInputTokens - earlier.cachedInputTokens,
    inputTokens: total.inputTokens - earlier.inputTokens,
    outputTokens: total.outputTokens - earlier.outputTokens,
    reasoningOutputTokens: total.reasoningOutputTokens - earlier.reasoningOutputTokens,
    totalTokens: total.totalTokens - earlier.totalTokens,
  };
  // After a rollback or a compaction the sum may be smaller than before.
  return used.totalTokens > 0 ? used : null;
}

/** `12.3k in, 1.2k out`. */
export const usageText = ({ inputTokens, outputTokens }: TokenUsageBreakdown): string =>
  `${formatCount(inputTokens)} in, ${formatCount(outputTokens)} out`;

/** The same in full, for a tooltip. */
export function usageDetails(usage: TokenUsageBreakdown): string {
  return [
    `${usage.inputTokens} input tokens, of them ${usage.cachedInputTokens} cached`,
    `${usage.outputTokens} output tokens, of them ${usage.reasoningOutputTokens} reasoning`,
  ].join("\n");
}
