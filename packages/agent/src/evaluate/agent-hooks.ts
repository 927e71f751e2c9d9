import type { BeforeApproval, TurnContext, TurnRules } from "@quire/client/guards";
import type { Session } from "../session/session.ts";

/** The evaluation that a hook or guardrail of an agent looks at. */
export interface AgentTurnContext extends TurnContext {
  readonly promptName: string;
  readonly session: Session;
}

/**
 * Functions that an agent calls while it evaluates, and rules that may stop it. A hook that throws and a guardrail that
 * gives a reason end the evaluation with a `PromptEvaluationError`, whose `cause` is the error.
 */
export interface AgentHooks extends TurnRules<AgentTurnContext> {
  /** Asked before `onApproval` and `autoApprove`. What it returns is the answer; nothing leaves it to them. */
  readonly beforeApproval?: BeforeApproval | undefined;
}
