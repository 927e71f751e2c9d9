import type { CodexErrorInfo } from "@quire/protocol";
import { ModelError, type ModelResult } from "./model-provider.ts";

/** The way to retry: the same HTTP request, silently; a new stream, announced; or first the one, then the other. */
export type Retry = "never" | "request" | "stream" | "both";

/** Further facts about a {@link Failure}. */
export interface FailureOptions {
  readonly retry?: Retry;
  readonly httpStatus?: number | null;
  readonly waitMs?: number | null;
  /** The usage of the attempt, if known. */
  readonly result?: ModelResult | undefined;
  /** The provider's own words, where the message has others. */
  readonly details?: string | null;
}

/** A failed attempt: its error, and how to retry. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly info: CodexErrorInfo;
  readonly retry: Retry;
  readonly httpStatus: number | null;
  readonly waitMs: number | null;
  readonly result: ModelResult | undefined;
  readonly details: string | null;

  constructor(message: string, info: CodexErrorInfo, options: FailureOptions = {}) {
    super(message);
    this.info = info;
    this.retry = options.retry ?? "never";
    this.httpStatus = options.httpStatus ?? null;
    this.waitMs = options.waitMs ?? null;
    this.result = options.result;
    this.details = options.details ?? null;
  }

  /** The error of the last attempt. */
  toModelError(): ModelError {
    const error = new ModelError(this.message, this.info, this.details);
    error.result = this.result;
    return error;
  }

  toRetryNotice(attempt: number, attempts: number): ModelError {
    const info = { responseStreamDisconnected: { httpStatusCode: this.httpStatus } };
    return new ModelError(`Reconnecting... ${attempt}/${attempts}`, info, this.message);
  }
}

/** A stream that ended before the response did. */
export function disconnected(why: string): Failure {
  return new Failure(`stream disconnected before completion: ${why}`, "other", { retry: "stream" });
}

/** The failure for an API error code, from a response or a stream; `undefined` without special meaning. */
export function failureOfCode(code: string | null, message: string): Failure | undefined {
  switch (code) {
    case "context_length_exceeded":
      return new Failure(
        "The thread no longer fits into the model's context window. Compact it, revert some of it, or start a new thread.",
        "contextWindowExceeded",
      );
    case "insufficient_quota":
      return new Failure("Quota exceeded. Check your plan and billing details.", "usageLimitExceeded", {
        details: message,
      });
    case "usage_limit_reached":
      return new Failure(message, "usageLimitExceeded");
    case "usage_not_included":
      return new Failure("Your plan does not include this usage. Choose another plan or model.", "usageLimitExceeded");
    case "rate_limit_exceeded":
    case "slow_down":
      return new Failure(`rate limit exceeded: ${message}`, "rateLimitExceeded", {
        retry: "stream",
        waitMs: askedToWait(message),
      });
    case "server_is_overloaded":
      return new Failure("Selected model is at capacity. Please try a different model.", "serverOverloaded", {
        details: message,
      });
    case "flex_unavailable":
      return new Failure("Flex capacity unavailable.", "flexUnavailable");
    case "policy_capacity_unavailable":
      return new Failure("No capacity for requests under this policy. Try again later.", "policyCapacityUnavailable");
    case "model_not_found":
      return new Failure(message, "modelNotFound");
    case "cyber_policy":
      return new Failure(message, "cyberPolicy");
    case "inference_hook_denied":
      return new Failure(message, "inferenceHookDenied");
    case "misalignment_policy_violation":
      return new Failure(message, "misalignmentPolicyViolation");
    case "session_budget_exceeded":
      return new Failure(message, "sessionBudgetExceeded");
    case "bio_policy":
    case "invalid_prompt":
      return new Failure(message, "other");
    default:
      return undefined;
  }
}

/** The longest wait that a message can cause: an early retry costs less than a thread that hangs. */
const longestWaitMs = 60_000;

/** Limits a wait that the other side asked for. */
export function boundedWait(ms: number): number {
  return Math.min(Math.max(ms, 0), longestWaitMs);
}

/** Providers write the wait into the message: `try again in 1.5s`, `in 28ms`. */
function askedToWait(message: string): number | null {
  const match = /try again in (\d+(?:\.\d+)?)\s*(ms|s\b|sec)/i.exec(message);
  if (!match) return null;
  return boundedWait(Number(match[1]) * (match[2]?.toLowerCase() === "ms" ? 1 : 1000));
}
