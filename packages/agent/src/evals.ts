/** Evals: prompts over datasets, with scores, reports and replays. */
export type {
  EvalCase,
  EvalResult,
  Score,
  ScoredAnswer,
  ScoreResult,
  Scorer,
} from "./evals/eval-case.ts";
export { type EvalChange, EvalDiff } from "./evals/eval-diff.ts";
export { EvalReport, type EvalSummary } from "./evals/eval-report.ts";
export { type EvalRun, type EvaluateAllOptions, evaluateAll, lastReport } from "./evals/evaluate-all.ts";
export { equalsExpected, includesExpected } from "./evals/scorers.ts";
