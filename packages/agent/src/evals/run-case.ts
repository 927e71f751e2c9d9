import { failureMessage } from "@quire/client/link";
import type { CodexAgent } from "../evaluate/codex-agent.ts";
import type { EvaluateOptions, OutputOf } from "../evaluate/evaluation.ts";
import { AgentError } from "../lib/agent-error.ts";
import { PromptEvaluationError } from "../limits/evaluation-error.ts";
import { evaluateWithExpansion } from "../loops/expansion.ts";
import { structuredOutput } from "../output/structured-output.ts";
import { StructuredOutputError } from "../output/structured-output-error.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { fingerprint } from "../schema/hash.ts";
import type { EvalCase, EvalResult, Score, ScoreResult, Scorer } from "./eval-case.ts";

/** Everything that the cases of a run have in common. */
export interface CaseRequest<Input, Expected, Output> {
  readonly agent: CodexAgent | undefined;
  readonly prompt: (input: Input) => Prompt<unknown, Output> | Promise<Prompt<unknown, Output>>;
  readonly scorers: ReadonlyMap<string, Scorer<Input, Expected, OutputOf<Output>>>;
  readonly passAt: number;
  readonly evaluate: EvaluateOptions;
  readonly signal: AbortSignal;
  /** Recorded results by id, instead of an agent. */
  readonly recorded: ReadonlyMap<string, EvalResult> | undefined;
}

/** The answer to a case. */
type Answer = Pick<EvalResult, "text" | "output" | "usage" | "cost">;

const noAnswer: Answer = { text: null, output: null, usage: null, cost: null };

/** Runs a case, or takes its answer from a recorded run, and scores it. It rejects only when the run was aborted. */
export async function runCase<Input, Expected, Output>(
  { input, expected, id = "" }: EvalCase<Input, Expected>,
  request: CaseRequest<Input, Expected, Output>,
): Promise<EvalResult> {
  const { scorers, passAt, signal } = request;
  const began = performance.now();
  let answer = noAnswer;
  let inputHash = "";
  const scores: Record<string, ScoreResult> = {};
  const result = (status: EvalResult["status"], error?: EvalResult["error"]): EvalResult => {
    const durationMs = Math.round(performance.now() - began);
    return { id, status, scores, ...answer, durationMs, inputHash, ...(error && { error }) };
  };
  try {
    inputHash = await fingerprint(input);
    answer = await answerTo(input, { ...request, id, inputHash });
    for (const [name, scorer] of scorers) {
      const { text, usage } = answer;
      const output = answer.output as OutputOf<Output>;
      const score = await scorer({ input, expected, output, text, usage, signal });
      // By definition, since a scorer may be called like a member of every object.
      Object.defineProperty(scores, name, { value: readScore(score, name), enumerable: true });
    }
    return result(Object.values(scores).every(({ score }) => score >= passAt) ? "passed" : "failed");
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    // What the model wrote is worth a look, and may be replayed once the prompt takes it.
    if (error instanceof StructuredOutputError) answer = { ...answer, text: error.text };
    const phase = error instanceof PromptEvaluationError ? error.phase : undefined;
    return result("error", { message: failureMessage(error), ...(phase && { phase }) });
  }
}

async function answerTo<Input, Expected, Output>(
  input: Input,
  request: CaseRequest<Input, Expected, Output> & { readonly id: string; readonly inputHash: string },
): Promise<Answer> {
  const { recorded, agent, evaluate, signal } = request;
  const prompt = await request.prompt(input);
  try {
    if (recorded) return await recordedAnswer(prompt, recorded.get(request.id), request.inputHash);
    if (!agent) throw new AgentError("evaluateAll() needs an agent, or a recorded run to replay");
    const { text, output, usage, cost } = await evaluateWithExpansion(agent, prompt, { ...evaluate, signal });
    return { text, output, usage, cost };
  } finally {
    await prompt.cleanup();
  }
}

/** The recorded answer, read again as the prompt's output. */
async function recordedAnswer(
  { template }: Prompt<unknown, unknown>,
  recorded: EvalResult | undefined,
  inputHash: string,
): Promise<Answer> {
  if (!recorded || recorded.inputHash !== inputHash)
    throw new AgentError("The recorded run has no answer to this input: run it with a model first");
  const { text, usage, cost, error } = recorded;
  if (text === null && error) throw new AgentError(error.message);
  if (template.output === undefined) return { text, output: null, usage, cost };
  const { allowExtraKeys } = template;
  const parsed = await (await structuredOutput(template.output, { allowExtraKeys })).parse(text ?? "");
  if (parsed.ok) return { text, output: parsed.value, usage, cost };
  const issues = parsed.issues.map(({ path, message }) => `${path} ${message}`.trim());
  throw new AgentError(`The recorded answer does not fit the output: ${issues.join("; ")}`);
}

function readScore(given: Score, name: string): ScoreResult {
  const { score, reason } = typeof given === "object" && given !== null ? given : { score: given, reason: undefined };
  const value = typeof score === "boolean" ? Number(score) : score;
  if (!(typeof value === "number" && value >= 0 && value <= 1))
    throw new AgentError(`The scorer ${name} must give a number from 0 to 1 or a boolean, not ${String(value)}`);
  return { score: value, ...(reason !== undefined && { reason: String(reason) }) };
}
