import type { TokenCounts } from "../events/snapshot.ts";

const none: TokenCounts = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** Threads whose totals are remembered; an agent with more sub-agents than that is counted from 0 again for the oldest. */
const maxThreads = 1000;

/**
 * Counts tokens by the absolute totals that the server reports for each thread: what is reported twice counts once, and
 * what is lost on the way is made up by the next report.
 */
export class TokenMeter {
  readonly #last = new Map<string, TokenCounts>();

  /** Returns the tokens that a report adds to earlier ones. Only totals count; they include the last response. */
  take(threadId: string, tokenUsage: unknown): TokenCounts {
    const { total: newer, total_token_usage: older } = (tokenUsage ?? {}) as Record<string, unknown>;
    const total = read(newer ?? older);
    if (!total) return none;
    const last = this.#last.get(threadId) ?? none;
    this.#last.delete(threadId);
    this.#last.set(threadId, total);
    if (this.#last.size > maxThreads) this.#last.delete(this.#last.keys().next().value ?? "");
    return {
      inputTokens: Math.max(0, total.inputTokens - last.inputTokens),
      outputTokens: Math.max(0, total.outputTokens - last.outputTokens),
      totalTokens: Math.max(0, total.totalTokens - last.totalTokens),
    };
  }
}

/** The sum of two counts. */
export function addTokens(left: TokenCounts, right: TokenCounts): TokenCounts {
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    totalTokens: left.totalTokens + right.totalTokens,
  };
}

/** No tokens. */
export const noTokens: TokenCounts = none;

function read(value: unknown): TokenCounts | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const counted = value as Record<string, unknown>;
  const counts = [
    counted.inputTokens ?? counted.input_tokens,
    counted.outputTokens ?? counted.output_tokens,
    counted.totalTokens ?? counted.total_tokens,
  ];
  if (!counts.every((count) => typeof count === "number" && Number.isFinite(count))) return undefined;
  const [input = 0, output = 0, total = 0] = counts as number[];
  return { inputTokens: input, outputTokens: output, totalTokens: total };
}
