import type { JSONObject, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { ThreadTokenUsage, TokenUsageBreakdown } from "@quire/protocol";

type Counts = Required<TokenUsageBreakdown>;

/** Counts what a step costs. The server reports sums for the whole thread, and may report one twice. */
export class UsageMeter {
  #total: Counts | undefined;
  /** The sum when the step began. */
  #base: Counts | undefined;

  /** Takes a report of the server. */
  report({ total, last }: ThreadTokenUsage): void {
    // The first report of a thread that was gone on with: what came before is not of this call.
    this.#base ??= subtract(complete(total), complete(last));
    this.#total = complete(total);
  }

  /** The cost since the last call of this. Undefined numbers: the server has said nothing yet. */
  take(): LanguageModelV3Usage {
    const [total, base] = [this.#total, this.#base];
    if (!total || !base || total === base) return unknownUsage;
    this.#base = total;
    return toUsage(subtract(total, base));
  }
}

const unknownUsage: LanguageModelV3Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

function toUsage(counts: Counts): LanguageModelV3Usage {
  const { inputTokens, cachedInputTokens, cacheWriteInputTokens, outputTokens, reasoningOutputTokens } = counts;
  return {
    inputTokens: {
      total: inputTokens,
      noCache: inputTokens - cachedInputTokens,
      cacheRead: cachedInputTokens,
      cacheWrite: cacheWriteInputTokens,
    },
    outputTokens: {
      total: outputTokens,
      text: outputTokens - reasoningOutputTokens,
      reasoning: reasoningOutputTokens,
    },
    raw: { ...counts } satisfies JSONObject,
  };
}

/** Servers before 0.166 do not count what is written to the cache. */
function complete(counts: TokenUsageBreakdown): Counts {
  return { ...counts, cacheWriteInputTokens: counts.cacheWriteInputTokens ?? 0 };
}

function subtract(a: Counts, b: Counts): Counts {
  const keys = Object.keys(a) as (keyof Counts)[];
  return Object.fromEntries(keys.map((key) => [key, a[key] - (b[key] ?? 0)])) as unknown as Counts;
}
