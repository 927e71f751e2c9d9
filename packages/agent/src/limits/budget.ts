import type { TokenUsage } from "@quire/client/guards";
import { AgentError } from "../lib/agent-error.ts";
import { Deadline } from "./deadline.ts";

/** The limits of evaluations. Several may share them, by sharing a tracker. */
export interface Budget {
  readonly deadline?: Deadline | undefined;
  readonly maxTotalTokens?: number | undefined;
  readonly maxInputTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
  /** Turns, those after a completion checker's feedback too. */
  readonly maxTurns?: number | undefined;
  /** US dollars. Needs the agent's `prices` for the model. */
  readonly maxCost?: number | undefined;
}

/** The dimensions of a budget. */
export type BudgetDimension = "deadline" | "inputTokens" | "outputTokens" | "totalTokens" | "turns" | "cost";

/** Everything that evaluations used of a budget. */
export interface Consumption extends TokenUsage {
  readonly turns: number;
  /** US dollars, as far as prices are known. */
  readonly cost: number;
}

/** More was used than the budget allows. */
export class BudgetExceededError extends AgentError {
  override readonly name: string = "BudgetExceededError";
  readonly budget: Budget;
  /** The usage by then. */
  readonly consumed: Consumption;
  /** The limit that was exceeded. */
  readonly exceededDimension: BudgetDimension;

  constructor(budget: Budget, consumed: Consumption, exceededDimension: BudgetDimension) {
    super(`The budget is exceeded: ${describe(budget, consumed, exceededDimension)}`);
    this.budget = budget;
    this.consumed = consumed;
    this.exceededDimension = exceededDimension;
  }
}

const limits = {
  inputTokens: "maxInputTokens",
  outputTokens: "maxOutputTokens",
  totalTokens: "maxTotalTokens",
  turns: "maxTurns",
  cost: "maxCost",
} as const;

/** Makes a budget. Throws where it limits nothing, or a limit is no positive whole number. */
export function defineBudget(limited: Budget): Budget {
  const { deadline, maxTotalTokens, maxInputTokens, maxOutputTokens, maxTurns, maxCost } = limited;
  const counts = { maxTotalTokens, maxInputTokens, maxOutputTokens, maxTurns };
  for (const [name, limit] of Object.entries(counts)) {
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0))
      throw new AgentError(`${name} must be a positive whole number, not ${String(limit)}`);
  }
  if (maxCost !== undefined && !(Number.isFinite(maxCost) && maxCost > 0))
    throw new AgentError(`maxCost must be a positive number of US dollars, not ${String(maxCost)}`);
  if (deadline !== undefined && !(deadline instanceof Deadline))
    throw new AgentError("The deadline of a budget is made by Deadline.in() or Deadline.at()");
  if (deadline === undefined && maxCost === undefined && Object.values(counts).every((limit) => limit === undefined))
    throw new AgentError("A budget must limit something: set a deadline, or a number of tokens, turns or dollars");
  return Object.freeze({ ...counts, maxCost, deadline });
}

/**
 * The first limit that is exceeded, in the order deadline, input, output, total, turns, cost; a limit may be used up to the
 * last.
 */
export function exceededDimension(budget: Budget, consumed: Consumption): BudgetDimension | undefined {
  if (budget.deadline?.expired) return "deadline";
  for (const [dimension, limit] of Object.entries(limits) as [keyof typeof limits, keyof Budget][]) {
    const most = budget[limit];
    if (typeof most === "number" && consumed[dimension] > most) return dimension;
  }
  return undefined;
}

function describe(budget: Budget, consumed: Consumption, dimension: BudgetDimension): string {
  if (dimension === "deadline") return `time was up at ${budget.deadline?.expiresAt.toISOString()}`;
  if (dimension === "cost") return `$${consumed.cost.toFixed(4)} of $${budget.maxCost}`;
  return `${consumed[dimension]} ${dimension} of ${budget[limits[dimension]]}`;
}
