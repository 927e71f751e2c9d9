import type { CodexAgent } from "../evaluate/codex-agent.ts";
import type { EvaluateOptions, OutputOf } from "../evaluate/evaluation.ts";
import { AgentError } from "../lib/agent-error.ts";
import { joinedSignal } from "../lib/joined-signal.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { Store } from "../stores/store.ts";
import type { EvalCase, EvalResult, Scorer } from "./eval-case.ts";
import type { EvalDiff } from "./eval-diff.ts";
import { EvalReport } from "./eval-report.ts";
import { runCase } from "./run-case.ts";

/** Options of {@link evaluateAll}. */
export interface EvaluateAllOptions<Input, Expected, Output> {
  /** Evaluates the prompts. Not needed for a replay. */
  readonly agent?: CodexAgent | undefined;
  /** Makes the prompt of a case. Its sections are cleaned up afterwards, so make a new one each time. */
  readonly prompt: (input: Input) => Prompt<unknown, Output> | Promise<Prompt<unknown, Output>>;
  /** A scorer, or several by name. */
  readonly score:
    | Scorer<Input, Expected, OutputOf<Output>>
    | Readonly<Record<string, Scorer<Input, Expected, OutputOf<Output>>>>;
  /** Cases that run at the same time. Default 4. */
  readonly concurrency?: number | undefined;
  /** The name of the run in its report and in the store. Default `evals`. */
  readonly name?: string | undefined;
  /** The score that each scorer must give for a case to pass. Default 0.5. */
  readonly passAt?: number | undefined;
  /** Options of every evaluation: limits, the model. A `budgetTracker` here is shared by all cases. */
  readonly evaluate?: Omit<EvaluateOptions, "session" | "signal" | "resume" | "fork"> | undefined;
  /** Keeps the report of the last run, to compare the next one with. */
  readonly store?: Store | undefined;
  /** Takes the answers from this run, without an agent and without a model, and scores them anew. */
  readonly replay?: EvalReport | undefined;
  /** Aborting stops all cases, and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called with each result as soon as it is there. */
  readonly onResult?: ((result: EvalResult) => void) | undefined;
}

/** A run, and how it differs from the last one in the store. */
export interface EvalRun {
  readonly report: EvalReport;
  /** Undefined without a store, and for the first run. */
  readonly diff: EvalDiff | undefined;
}

/**
 * Runs a prompt over a dataset and scores the answers:
 *
 * ```ts
 * const { report, diff } = await evaluateAll(dataset, {
 *   agent,
 *   prompt: (input) => triage.bind(input),
 *   score: equalsExpected(),
 *   store: fileStore("./evals"),
 * });
 * console.log(report.table());
 * ```
 *
 * A case that fails does not stop the others.
 */
export async function evaluateAll<Input, Expected, Output>(
  dataset: readonly EvalCase<Input, Expected>[],
  options: EvaluateAllOptions<Input, Expected, Output>,
): Promise<EvalRun> {
  const { agent, prompt, score, name = "evals", passAt = 0.5, concurrency = 4, store, replay } = options;
  if (!(Number.isSafeInteger(concurrency) && concurrency > 0))
    throw new AgentError(`concurrency must be a positive whole number, not ${String(concurrency)}`);
  if (!agent && !replay) throw new AgentError("evaluateAll() needs an agent, or a recorded run to replay");
  const cases = namedCases(dataset);
  // Before anything is paid for: a report that cannot be read is no reason to lose a run.
  const last = store && (await lastReport(store, name));
  const stop = new AbortController();
  const joined = joinedSignal(options.signal ? [options.signal, stop.signal] : [stop.signal]);
  const scorers = new Map(typeof score === "function" ? [["score", score]] : Object.entries(score));
  const recorded = replay && new Map(replay.results.map((result) => [result.id, result]));
  const request = { agent, prompt, scorers, passAt, evaluate: options.evaluate ?? {}, signal: joined.signal, recorded };
  const createdAt = new Date().toISOString();
  const began = performance.now();
  const results: EvalResult[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < cases.length; at = next++) {
      joined.signal.throwIfAborted();
      const result = await runCase(cases[at] as EvalCase<Input, Expected>, request);
      results[at] = result;
      options.onResult?.(result);
    }
  };
  try {
    const workers = Array.from({ length: Math.min(concurrency, cases.length) }, work);
    await Promise.all(workers).catch(async (error: unknown) => {
      // The others end before this rejects: nothing runs on.
      stop.abort(error);
      await Promise.allSettled(workers);
      throw error;
    });
  } finally {
    joined.release();
  }
  const durationMs = Math.round(performance.now() - began);
  const report = new EvalReport({ name, createdAt, durationMs, results });
  if (!replay) await store?.write(keyOf(name), JSON.stringify(report));
  return { report, diff: last && report.diff(last) };
}

/** The report of the last run that a store has under a name; undefined where there is none. */
export async function lastReport(store: Store, name = "evals"): Promise<EvalReport | undefined> {
  const stored = await store.read(keyOf(name));
  return stored && EvalReport.parse(stored.text);
}

const keyOf = (name: string) => `evals/${name}`;

function namedCases<Input, Expected>(dataset: readonly EvalCase<Input, Expected>[]): EvalCase<Input, Expected>[] {
  const cases = dataset.map((each, index) => ({ ...each, id: each.id ?? String(index + 1) }));
  const seen = new Set<string>();
  for (const { id } of cases) {
    if (seen.has(id)) throw new AgentError(`Two cases are called "${id}": give each an id of its own`);
    seen.add(id);
  }
  return cases;
}
