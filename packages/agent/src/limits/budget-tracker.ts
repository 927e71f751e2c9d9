import { addUsage, noUsage, type TokenUsage } from "@quire/client/guards";
import { type Budget, BudgetExceededError, defineBudget, exceededDimension } from "./budget.ts";

/** Counts what evaluations use of one budget. Pass the same tracker to those that share it. */
export class BudgetTracker {
  readonly budget: Budget;
  readonly #used = new Map<string, TokenUsage>();

  constructor(budget: Budget) {
    this.budget = defineBudget(budget);
  }

  /** Sets what one evaluation has used so far; called again, the newer count replaces the older. */
  recordCumulative(evaluationId: string, usage: TokenUsage): void {
    this.#used.set(evaluationId, usage);
  }

  /** The usage of all evaluations together. */
  get consumed(): TokenUsage {
    let sum = noUsage;
    for (const usage of this.#used.values()) sum = addUsage(sum, usage);
    return sum;
  }

  /** Throws a BudgetExceededError where a limit is exceeded. */
  check(): void {
    const { consumed } = this;
    const dimension = exceededDimension(this.budget, consumed);
    if (dimension !== undefined) throw new BudgetExceededError(this.budget, consumed, dimension);
  }
}
