import { ConnectionError, TurnError } from "@quire/client";
import { failureMessage } from "@quire/client/link";
import { AgentError } from "../lib/agent-error.ts";
import { BudgetExceededError } from "../limits/budget.ts";
import { phaseOfTurnError } from "../limits/error-phase.ts";
import {
  DeadlineExceededError,
  type EvaluationPayload,
  type EvaluationPhase,
  PromptEvaluationError,
} from "../limits/evaluation-error.ts";
import type { Redactor } from "../transcript/redactor.ts";
import { AgentConfigError } from "./config-error.ts";
import type { StopReason } from "./evaluation-limits.ts";

/** The facts about a failure. */
export interface FailureFacts {
  readonly promptName: string;
  readonly redactor: Redactor;
  readonly stderr: string;
  readonly threadId: string | undefined;
  readonly turnId: string | undefined;
  readonly transientErrors: readonly string[];
  /** The model's text. */
  readonly text: string | undefined;
}

/** Characters of the model's text that an error carries. */
const mostText = 2000;

/** All that an error of an evaluation tells, without secrets. */
export function payloadOf(facts: FailureFacts, more: EvaluationPayload = {}): EvaluationPayload {
  const { redactor, stderr, text, threadId, turnId, transientErrors } = facts;
  const given: EvaluationPayload = {
    ...(text !== undefined && text !== "" && { text: text.slice(0, mostText) }),
    ...(stderr !== "" && { stderr }),
    ...(threadId !== undefined && { threadId }),
    ...(turnId !== undefined && { turnId }),
    ...(transientErrors.length > 0 && { transientErrors }),
    ...more,
  };
  return redactor.value(given);
}

/** The error for an evaluation that had to end early: the caller's own reason where that was an abort. */
export function stoppedError(reason: StopReason, facts: FailureFacts): unknown {
  if (reason.kind === "abort") return reason.reason;
  const options = { promptName: facts.promptName, payload: payloadOf(facts) };
  if (reason.kind === "budget") {
    const { error: cause } = reason;
    const isTime = cause instanceof BudgetExceededError && cause.exceededDimension === "deadline";
    const message = cause instanceof Error ? cause.message : "The budget is exceeded";
    if (!isTime) return new PromptEvaluationError(message, { ...options, phase: "budget", cause });
  }
  if (reason.kind === "rule") return brokenRule(reason.error, "response", facts);
  return new DeadlineExceededError("Time was up before the evaluation had ended", { ...options, phase: "request" });
}

/** The error for a hook that threw or a guardrail that gave a reason. */
export function brokenRule(error: unknown, phase: EvaluationPhase, facts: FailureFacts): PromptEvaluationError {
  const { redactor, promptName } = facts;
  const options = { promptName, phase, payload: payloadOf(facts), cause: redactor.error(error) };
  return new PromptEvaluationError(redactor.text(failureMessage(error)), options);
}

/** The error that an evaluation rejects with: errors of this package as they are, all others with phase and payload. */
export function evaluationError(error: unknown, facts: FailureFacts): unknown {
  if (AgentError.is(error) && !isBare(error)) return error;
  const { promptName, redactor } = facts;
  const cause = redactor.error(error);
  const message = redactor.text(failureMessage(error));
  if (TurnError.is(error)) {
    const { codexErrorInfo, additionalDetails, result } = error;
    const payload = payloadOf({ ...facts, text: result.agentMessage }, { codexErrorInfo, additionalDetails });
    return new PromptEvaluationError(message, {
      promptName,
      phase: phaseOfTurnError(codexErrorInfo, error.message),
      payload,
      cause,
    });
  }
  return new PromptEvaluationError(message, {
    promptName,
    phase: phaseOf(error, facts),
    payload: payloadOf(facts),
    cause,
  });
}

/** The connection was lost in the middle of a turn: whatever was said, there is no whole response. */
function phaseOf(error: unknown, { turnId }: FailureFacts): EvaluationPhase {
  return ConnectionError.is(error) && error.code === "closed" && turnId !== undefined ? "response" : "request";
}

/** An error that says nothing of the evaluation, such as that the server took too long to start. */
const isBare = (error: AgentError): boolean => error.constructor === AgentError || error instanceof AgentConfigError;
