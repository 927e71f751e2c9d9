import type { TokenUsage } from "@quire/client/guards";
import { AgentError } from "../lib/agent-error.ts";
import { Deadline } from "./deadline.ts";

/** The limits of evaluations. Several may share them, by sharing a tracker. */
export interface Budget {
  readonly deadline?: Deadline | undefined;
  readonly maxTotalTokens?: number | undefined;
  readonly maxInputTokens?: number | undefined;
  readonly maxOutputTokens?: number | undefined;
}

/** The dimensions of a budget. */
export type BudgetDimension = "deadline" | "inputTokens" | "outputTokens" | "totalTokens";

/** More was used than the budget allows. */
export class BudgetExceededError extends AgentError {
  override readonly name: string = "BudgetExceededError";
  readonly budget: Budget;
  /** The usage by then. */
  readonly consumed: TokenUsage;
  /** The limit that was exceeded. */
  readonly exceededDimension: BudgetDimension;

  constructor(budget: Budget, consumed: TokenUsage, exceededDimension: BudgetDimension) {
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
} as const;

/** Makes a budget. Throws where it limits nothing, or a limit is no positive whole number. */
export function defineBudget(limited: Budget): Budget {
  const { deadline, maxTotalTokens, maxInputTokens, maxOutputTokens } = limited;
  const counts = { maxTotalTokens, maxInputTokens, maxOutputTokens };
  for (const [name, limit] of Object.entries(counts)) {
    if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0))
      throw new AgentError(`${name} must be a positive whole number, not ${String(limit)}`);
  }
  if (deadline !== undefined && !(deadline instanceof Deadline))
    throw new AgentError("The deadline of a budget is made by Deadline.in() or Deadline.at()");
  if (deadline === undefined && Object.values(counts).every((limit) => limit === undefined))
    throw new AgentError("A budget must limit something: set a deadline or a number of tokens");
  return Object.freeze({ ...counts, deadline });
}

/** The first limit that is exceeded, in the order deadline, input, output, total; a limit may be used up to the last. */
export function exceededDimension(budget: Budget, consumed: TokenUsage): BudgetDimension | undefined {
  if (budget.deadline?.expired) return "deadline";
  for (const [dimension, limit] of Object.entries(limits) as [keyof typeof limits, keyof Budget][]) {
    const most = budget[limit];
    if (typeof most === "number" && consumed[dimension] > most) return dimension;
  }
  return undefined;
}

function describe(budget: Budget, consumed: TokenUsage, dimension: BudgetDimension): string {
  if (dimension === "deadline") return `time was up at ${budget.deadline?.expiresAt.toISOString()}`;
  return `${consumed[dimension]} ${dimension} of ${budget[limits[dimension]]}`;
}
