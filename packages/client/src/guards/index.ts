/** Hooks, guardrails, budgets and costs of turns. */
export { type BeforeApproval, beforeApproval } from "./before-approval.ts";
export { GuardedThread, type GuardOptions, guardThread } from "./guarded-thread.ts";
export { type GuardedResult, GuardedTurn } from "./guarded-turn.ts";
export {
  checkInput,
  checkItem,
  type Guardrail,
  GuardrailError,
  type TurnContext,
  type TurnHooks,
  type TurnRules,
} from "./guardrails.ts";
export { LimitError, type LimitName, type Spent } from "./limit-error.ts";
export { costOf, type ModelPrices, type PriceTable, pricesOf } from "./prices.ts";
export { addUsage, noUsage, readUsage, subtractUsage, type TokenUsage } from "./token-usage.ts";
export { TurnBudget, type TurnLimits, type TurnShare } from "./turn-budget.ts";
export { UsageMeter } from "./usage-meter.ts";
