import { AgentError } from "../lib/agent-error.ts";

/**
 * The phase in which an evaluation failed: `request` is everything up to the start of the turn, the connection, and
 * an end that was forced; `response` a failed turn or output that does not fit; `tool` a tool; `budget` a limit on tokens.
 */
export type EvaluationPhase = "request" | "response" | "tool" | "budget";

/** The facts about a failed evaluation, without the agent's secrets. */
export interface EvaluationPayload {
  /** The model's text: at most its first 2000 characters. */
  readonly text?: string | undefined;
  /** The kind of failure that the server named. */
  readonly codexErrorInfo?: unknown;
  /** The server's further details. */
  readonly additionalDetails?: string | undefined;
  /** Failures that the server got over by itself. */
  readonly transientErrors?: readonly string[] | undefined;
  /** The last 8 KB that a spawned server wrote to stderr. */
  readonly stderr?: string | undefined;
  readonly threadId?: string | undefined;
  readonly turnId?: string | undefined;
}

/** Facts about a {@link PromptEvaluationError}. */
export interface EvaluationErrorOptions extends ErrorOptions {
  readonly promptName: string;
  readonly phase: EvaluationPhase;
  readonly payload?: EvaluationPayload | undefined;
}

/** An evaluation failed. */
export class PromptEvaluationError extends AgentError {
  override readonly name: string = "PromptEvaluationError";
  readonly promptName: string;
  readonly phase: EvaluationPhase;
  readonly payload: EvaluationPayload | null;

  constructor(message: string, { promptName, phase, payload, ...options }: EvaluationErrorOptions) {
    super(message, options);
    this.promptName = promptName;
    this.phase = phase;
    this.payload = payload ?? null;
  }
}

/** Time was up before the evaluation had ended. Its phase is `request`. */
export class DeadlineExceededError extends PromptEvaluationError {
  override readonly name: string = "DeadlineExceededError";
}
