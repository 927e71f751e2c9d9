import type { TokenUsage } from "@quire/client/guards";

/** A case of a dataset. */
export interface EvalCase<Input, Expected = undefined> {
  /** Names the case in reports. Default: its place, from 1. */
  readonly id?: string | undefined;
  /** The input, from which the prompt is made. It must be JSON. */
  readonly input: Input;
  /** The right answer, for the scorers. */
  readonly expected?: Expected | undefined;
}

/** A score from 0 to 1, or whether it is right; with a reason for the report. */
export type Score = number | boolean | { readonly score: number | boolean; readonly reason?: string | undefined };

/** The answer that a scorer judges. */
export interface ScoredAnswer<Input, Expected, Output> {
  readonly input: Input;
  readonly expected: Expected | undefined;
  /** The typed output; null for a prompt that asks for none. */
  readonly output: Output;
  /** The model's last message; null when there is none. */
  readonly text: string | null;
  readonly usage: TokenUsage | null;
  /** Aborted with the whole run. */
  readonly signal: AbortSignal;
}

/** Judges an answer. One that throws makes the case an error. */
export type Scorer<Input = unknown, Expected = unknown, Output = unknown> = (
  answer: ScoredAnswer<Input, Expected, Output>,
) => Score | Promise<Score>;

/** A score in a report. */
export interface ScoreResult {
  readonly score: number;
  readonly reason?: string | undefined;
}

/** The result of a case. */
export interface EvalResult {
  readonly id: string;
  /** `passed` when every score reached `passAt`, `error` when there was no answer to score. */
  readonly status: "passed" | "failed" | "error";
  readonly scores: Readonly<Record<string, ScoreResult>>;
  readonly text: string | null;
  readonly output: unknown;
  readonly usage: TokenUsage | null;
  /** US dollars; null where prices are not known. */
  readonly cost: number | null;
  readonly durationMs: number;
  /** The failure of an `error`. */
  readonly error?: { readonly message: string; readonly phase?: string | undefined } | undefined;
  /** Stands for the input: a replay needs the same. */
  readonly inputHash: string;
}
