import type { TokenUsageBreakdown } from "@quire/protocol";

/** A request to a model, as it ended. */
export interface ModelCall {
  readonly turnId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly usage: TokenUsageBreakdown | null;
  /** The kind of failure; `null` when there was none. */
  readonly failure: string | null;
}
