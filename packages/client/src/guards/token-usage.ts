/** Tokens that were used. */
export interface TokenUsage {
  /** Tokens that the model read, cached or not. */
  readonly inputTokens: number;
  /** Tokens that the model wrote, reasoning included. */
  readonly outputTokens: number;
  /** The part of the input that was cached. */
  readonly cachedInputTokens: number;
  /** The part of the output that was reasoning. */
  readonly reasoningOutputTokens: number;
  /** Input and output. */
  readonly totalTokens: number;
}

/** Nothing used. */
export const noUsage: TokenUsage = combine(() => 0);

/** The sum of two usages. */
export function addUsage(left: TokenUsage, right: TokenUsage): TokenUsage {
  return combine((field) => left[field] + right[field]);
}

/** The difference from `earlier` to `later`; never negative, since a server that forgets must not give tokens back. */
export function subtractUsage(later: TokenUsage, earlier: TokenUsage): TokenUsage {
  return combine((field) => Math.max(0, later[field] - earlier[field]));
}

/**
 * Reads usage as it travels. What is not said counts as zero, and the total is the sum where it is missing; undefined
 * where there is nothing to read.
 */
export function readUsage(value: unknown): TokenUsage | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const numberAt = (field: string) => {
    const count = given[field];
    return typeof count === "number" && Number.isFinite(count) && count >= 0 ? count : undefined;
  };
  if (numberAt("inputTokens") === undefined && numberAt("outputTokens") === undefined) return undefined;
  const sum = (numberAt("inputTokens") ?? 0) + (numberAt("outputTokens") ?? 0);
  return combine((field) => numberAt(field) ?? (field === "totalTokens" ? sum : 0));
}

function combine(count: (field: keyof TokenUsage) => number): TokenUsage {
  return {
    inputTokens: count("inputTokens"),
    outputTokens: count("outputTokens"),
    cachedInputTokens: count("cachedInputTokens"),
    reasoningOutputTokens: count("reasoningOutputTokens"),
    totalTokens: count("totalTokens"),
  };
}
