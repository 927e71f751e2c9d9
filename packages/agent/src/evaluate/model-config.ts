import { checkOptions } from "./check-options.ts";
import { checkWord } from "./check-word.ts";
import { AgentConfigError } from "./config-error.ts";

/** The model and its options. The server chooses the options that you leave out. */
export interface AgentModelConfig {
  /** Default `gpt-5.1-codex`; null leaves it to the server. */
  readonly model?: string | null | undefined;
  readonly effort?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | undefined;
  /** The length of reasoning summaries. */
  readonly summary?: "auto" | "concise" | "detailed" | "none" | undefined;
  readonly personality?: "none" | "friendly" | "pragmatic" | undefined;
}

/** The model that is asked for unless another is. */
const defaultModel = "gpt-5.1-codex";

/** Settings of other APIs that the app-server has no place for. */
const unsupported = ["seed", "stop", "presencePenalty", "frequencyPenalty", "presence_penalty", "frequency_penalty"];

const known = ["model", "effort", "summary", "personality"];

/** Names of the same settings elsewhere. */
const otherNames = new Map([
  ["name", "model"],
  ["modelName", "model"],
  ["model_name", "model"],
  ["reasoning_effort", "effort"],
  ["reasoningEffort", "effort"],
  ["model_reasoning_effort", "effort"],
  ["reasoning_summary", "summary"],
  ["reasoningSummary", "summary"],
  ["model_reasoning_summary", "summary"],
]);

/** Checks a configuration and fills it in. The result cannot be changed. */
export function fullModelConfig(given: AgentModelConfig = {}): AgentModelConfig {
  const misplaced = unsupported.filter((name) => (given as Record<string, unknown>)[name] !== undefined);
  if (misplaced.length > 0)
    throw new AgentConfigError(`The app-server does not support ${misplaced.join(", ")}: leave it out`);
  checkOptions("The model", given, { known, otherNames });
  checkWord("effort", given.effort, ["none", "minimal", "low", "medium", "high", "xhigh"]);
  checkWord("summary", given.summary, ["auto", "concise", "detailed", "none"]);
  checkWord("personality", given.personality, ["none", "friendly", "pragmatic"]);
  return Object.freeze({ ...given, model: given.model === undefined ? defaultModel : given.model });
}
