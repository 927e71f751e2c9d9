import { addUsage, noUsage, type TokenUsage } from "@quire/client/guards";
import { type Budget, BudgetExceededError, type Consumption, defineBudget, exceededDimension } from "./budget.ts";

/** Counts what evaluations use of one budget. Pass the same tracker to those that share it. */
export class BudgetTracker {
  readonly budget: Budget;
  readonly #used = new Map<string, { readonly usage: TokenUsage; readonly cost: number }>();
  #turns = 0;

  constructor(budget: Budget) {
    this.budget = defineBudget(budget);
  }

  /** Sets what one evaluation has used so far, and what that cost in US dollars; called again, the newer count replaces the older. */
  recordCumulative(evaluationId: string, usage: TokenUsage, cost = 0): void {
    this.#used.set(evaluationId, { usage, cost });
  }

  /** Counts a turn that is about to start. Throws a BudgetExceededError where no further one may. */
  beginTurn(): void {
    this.#turns++;
    try {
      this.check();
    } catch (error) {
      this.#turns--;
      throw error;
    }
  }

  /** The usage of all evaluations together. */
  get consumed(): Consumption {
    let sum = noUsage;
    let dollars = 0;
    for (const { usage, cost } of this.#used.values()) {
      sum = addUsage(sum, usage);
      dollars += cost;
    }
    return { ...sum, turns: this.#turns, cost: dollars };
  }

  /** Throws a BudgetExceededError where a limit is exceeded. */
  check(): void {
    const { consumed } = this;
    const dimension = exceededDimension(this.budget, consumed);
    if (dimension !== undefined) throw new BudgetExceededError(this.budget, consumed, dimension);
  }
}
