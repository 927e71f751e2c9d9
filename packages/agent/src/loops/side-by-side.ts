import type { CodexAgent } from "../evaluate/codex-agent.ts";
import type { EvaluateOptions, Evaluation, OutputOf } from "../evaluate/evaluation.ts";
import type { AgentModelConfig } from "../evaluate/model-config.ts";
import { BudgetTracker } from "../limits/budget-tracker.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { CodexThread } from "../session/codex-thread.ts";
import { Session } from "../session/session.ts";

/** The result of one model. */
export type SideBySide<Output> =
  | { readonly model: AgentModelConfig; readonly session: Session; readonly evaluation: Evaluation<OutputOf<Output>> }
  | { readonly model: AgentModelConfig; readonly session: Session; readonly error: unknown };

/** A prompt for all models, or one for each, where they must not share resources such as a workspace. */
export type PromptFor<Output> =
  | Prompt<unknown, Output>
  | ((model: AgentModelConfig) => Prompt<unknown, Output> | Promise<Prompt<unknown, Output>>);

/**
 * Evaluates a prompt on several models at once. Each has a copy of the session, so that one does not see what another's
 * tools did; they share deadline and budget. It never rejects: what failed is in the results.
 */
export async function evaluateSideBySide<Output>(
  agent: CodexAgent,
  prompt: PromptFor<Output>,
  { models, ...options }: EvaluateOptions & { readonly models: readonly AgentModelConfig[] },
): Promise<SideBySide<Output>[]> {
  const { budget } = options;
  const budgetTracker = options.budgetTracker ?? (budget ? new BudgetTracker(budget) : undefined);
  return Promise.all(
    models.map(async (model): Promise<SideBySide<Output>> => {
      const session = options.session?.clone() ?? new Session();
      // Two models cannot continue one thread.
      session.slice(CodexThread).clear();
      try {
        const own = typeof prompt === "function" ? await prompt(model) : prompt;
        return { model, session, evaluation: await agent.evaluate(own, { ...options, session, budgetTracker, model }) };
      } catch (error) {
        return { model, session, error };
      }
    }),
  );
}
