import type { PriceTable } from "@quire/client/guards";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { Prompt } from "../prompt/prompt.ts";
import type { AgentHooks } from "./agent-hooks.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { type AgentClientConfig, type FullClientConfig, fullClientConfig } from "./client-config.ts";
import type { EvaluateOptions, Evaluation, OutputOf } from "./evaluation.ts";
import type { EvaluationEvent } from "./evaluation-event.ts";
import { EvaluationRun } from "./evaluation-run.ts";
import { evaluationScope } from "./evaluation-scope.ts";
import { EvaluationStream } from "./evaluation-stream.ts";
import { type AgentModelConfig, fullModelConfig } from "./model-config.ts";

/** Options of a {@link CodexAgent}. */
export interface CodexAgentOptions {
  /** Its connection and behaviour. */
  readonly client?: AgentClientConfig | undefined;
  /** The model, with its options. */
  readonly model?: AgentModelConfig | undefined;
  /** Functions that are called while it evaluates, and rules that may stop it. */
  readonly hooks?: AgentHooks | undefined;
  /** Prices by model, to know what an evaluation costs. */
  readonly prices?: PriceTable | undefined;
  /** The source of time. Default: the system clock. */
  readonly clock?: Clock | undefined;
  /** Logs problems that do not end an evaluation. Default: no log. */
  readonly logger?: Logger | undefined;
}

/**
 * Evaluates prompts on an app-server. It holds settings only: each evaluation has a connection of its own, so several may
 * run at once.
 *
 * ```ts
 * const agent = new CodexAgent({ client: { sandbox: "workspace-write" }, model: { effort: "medium" } });
 * const { output, usage } = await agent.evaluate(summarize.bind({ repo: "quire" }), { session });
 * ```
 */
export class CodexAgent {
  readonly #settings: AgentSettings;
  readonly #options: CodexAgentOptions;

  constructor(options: CodexAgentOptions = {}) {
    const { client, model, hooks = {}, prices, clock = systemClock, logger = {} } = options;
    this.#options = options;
    this.#settings = { client: fullClientConfig(client), model: fullModelConfig(model), hooks, prices, clock, logger };
  }

  /** Its connection and behaviour, with all defaults. */
  get client(): FullClientConfig {
    return this.#settings.client;
  }

  /** The model that it asks for, with all defaults. */
  get model(): AgentModelConfig {
    return this.#settings.model;
  }

  /** The same agent with a second logger. */
  withLogger(hear: (level: "info" | "warn" | "error", message: string) => void): CodexAgent {
    const { logger } = this.#settings;
    const both = (level: "info" | "warn" | "error") => (message: string, details?: unknown) => {
      hear(level, message);
      logger[level]?.(message, details);
    };
    const logging = { info: both("info"), warn: both("warn"), error: both("error") };
    return new CodexAgent({ ...this.#options, logger: logging });
  }

  /**
   * Renders a prompt, has it worked on, and gives what came of it. Rejects with a `PromptEvaluationError` that tells in
   * which phase it failed, with `VisibilityExpansionRequired` where the model asks for more of the prompt, and with the
   * signal's reason where it was aborted. By then the server's process is gone.
   */
  async evaluate<Output>(
    prompt: Prompt<unknown, Output>,
    options: EvaluateOptions = {},
  ): Promise<Evaluation<OutputOf<Output>>> {
    return this.#evaluate(prompt, options);
  }

  /**
   * Starts an evaluation and returns it at once, to iterate for its events as they happen:
   *
   * ```ts
   * const stream = agent.stream(bound);
   * for await (const event of stream) if (event.type === "agentMessage.delta") process.stdout.write(event.delta);
   * const { output } = await stream.result;
   * ```
   */
  stream<Output>(prompt: Prompt<unknown, Output>, options: EvaluateOptions = {}): EvaluationStream<OutputOf<Output>> {
    const run = (emit: (event: EvaluationEvent) => void, signal: AbortSignal) =>
      this.#evaluate(prompt, { ...options, signal }, emit);
    return new EvaluationStream(run, options.signal);
  }

  async #evaluate<Output>(
    prompt: Prompt<unknown, Output>,
    options: EvaluateOptions,
    emit?: (event: EvaluationEvent) => void,
  ): Promise<Evaluation<OutputOf<Output>>> {
    const model = options.model === undefined ? this.#settings.model : fullModelConfig(options.model);
    const scope = evaluationScope({ settings: { ...this.#settings, model }, prompt, options, emit });
    return new EvaluationRun(scope).evaluate() as Promise<Evaluation<OutputOf<Output>>>;
  }
}
