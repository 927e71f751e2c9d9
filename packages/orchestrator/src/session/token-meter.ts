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
  /** A thread that had used tokens before this session. */
  #resumed: string | undefined;
  #hasBegun = false;

  /** Has a thread's earlier use left out. To be called before it is taken up. */
  resume(threadId: string): void {
    this.#resumed = threadId;
  }

  /** Notes that a turn of this session begins: what is reported from here on was used by it. */
  begin(): void {
    this.#hasBegun = true;
  }

  /** Returns the tokens that a report adds to earlier ones. Only totals count; they include the last response. */
  take(threadId: string, tokenUsage: unknown): TokenCounts {
    const usage = (tokenUsage ?? {}) as Record<string, unknown>;
    const total = read(usage.total ?? usage.total_token_usage);
    if (!total) return none;
    const response = read(usage.last ?? usage.last_token_usage) ?? none;
    const last = this.#last.get(threadId) ?? (threadId === this.#resumed ? this.#before(total, response) : none);
    this.#last.delete(threadId);
    this.#last.set(threadId, total);
    if (this.#last.size > maxThreads) this.#last.delete(this.#last.keys().next().value ?? "");
    return minus(total, last);
  }

  /** A resumed thread's use before this session, by the first report of it. */
  #before(total: TokenCounts, response: TokenCounts): TokenCounts {
    return this.#hasBegun ? minus(total, response) : total;
  }
}

function minus(left: TokenCounts, right: TokenCounts): TokenCounts {
  return {
    inputTokens: Math.max(0, left.inputTokens - right.inputTokens),
    outputTokens: Math.max(0, left.outputTokens - right.outputTokens),
    totalTokens: Math.max(0, left.totalTokens - right.totalTokens),
  };
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
