import type { CodexAgent } from "../evaluate/codex-agent.ts";
import type { EvaluateOptions, Evaluation, OutputOf } from "../evaluate/evaluation.ts";
import { VisibilityExpansionRequired } from "../lib/visibility-expansion.ts";
import { BudgetTracker } from "../limits/budget-tracker.ts";
import { PromptEvaluationError } from "../limits/evaluation-error.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { Session } from "../session/session.ts";
import { SetVisibilityOverride } from "../session/visibility-overrides.ts";

/** The limit of expansions. */
const mostExpansions = 10;

/**
 * Evaluates a prompt, and each time the model asks for sections shows them in full and evaluates again, with the same
 * session, deadline and count of tokens.
 */
export async function evaluateWithExpansion<Output>(
  agent: CodexAgent,
  prompt: Prompt<unknown, Output>,
  options: EvaluateOptions = {},
): Promise<Evaluation<OutputOf<Output>>> {
  const { budget } = options;
  const session = options.session ?? new Session();
  const budgetTracker = options.budgetTracker ?? (budget ? new BudgetTracker(budget) : undefined);
  for (let expansions = 0; ; expansions++) {
    try {
      return await agent.evaluate(prompt, { ...options, session, budgetTracker });
    } catch (error) {
      if (!(error instanceof VisibilityExpansionRequired)) throw error;
      if (expansions >= mostExpansions) throw tooMany(prompt.eventName, error);
      for (const [path, visibility] of Object.entries(error.requestedOverrides))
        session.dispatch(SetVisibilityOverride({ path, visibility }));
    }
  }
}

function tooMany(promptName: string, cause: VisibilityExpansionRequired): PromptEvaluationError {
  const message = `The model asked for more sections ${mostExpansions + 1} times: show them in full from the start`;
  return new PromptEvaluationError(message, { promptName, phase: "request", cause });
}
