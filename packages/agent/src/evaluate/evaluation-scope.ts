import type { Logger } from "@quire/client";
import { costOf, type ModelPrices, pricesOf } from "@quire/client/guards";
import type { ToolInvokedEvent } from "../events/canonical.ts";
import { BudgetTracker } from "../limits/budget-tracker.ts";
import type { Deadline } from "../limits/deadline.ts";
import type { Prompt } from "../prompt/prompt.ts";
import { Session } from "../session/session.ts";
import { Redactor } from "../transcript/redactor.ts";
import { Transcript } from "../transcript/transcript.ts";
import type { AgentSettings } from "./agent-settings.ts";
import { secretsOf } from "./auth.ts";
import { AgentConfigError } from "./config-error.ts";
import type { EvaluateOptions } from "./evaluation.ts";
import type { EvaluationEvent } from "./evaluation-event.ts";
import { EvaluationLimits } from "./evaluation-limits.ts";
import { TurnWatch } from "./turn-watch.ts";

/** The shared state of an evaluation. */
export interface EvaluationScope {
  readonly settings: AgentSettings;
  readonly prompt: Prompt;
  readonly options: EvaluateOptions;
  readonly session: Session;
  /** Names the evaluation in trackers, since the same prompt may be evaluated many times. */
  readonly evaluationId: string;
  readonly tracker: BudgetTracker | undefined;
  readonly deadline: Deadline | undefined;
  readonly limits: EvaluationLimits;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Prices of the model; undefined where they are not known. */
  readonly prices: ModelPrices | undefined;
  readonly transcript: Transcript | undefined;
  readonly watch: TurnWatch;
  /** Hears of events as they happen; undefined if nobody does. */
  readonly emit: ((event: EvaluationEvent) => void) | undefined;
  /** Hears of calls of tools. */
  readonly onInvoked: ((call: ToolInvokedEvent) => void) | undefined;
}

/** The source of an evaluation. */
export interface ScopeOptions {
  readonly settings: AgentSettings;
  readonly prompt: Prompt;
  readonly options: EvaluateOptions;
  /** Hears of events as they happen. */
  readonly emit?: ((event: EvaluationEvent) => void) | undefined;
}

/** Makes the scope of an evaluation. The caller disposes of `limits`. */
export function evaluationScope({ settings, prompt, options, emit }: ScopeOptions): EvaluationScope {
  const { clock, client } = settings;
  const session = options.session ?? new Session({ clock });
  const tracker = options.budgetTracker ?? (options.budget ? new BudgetTracker(options.budget) : undefined);
  const prices = pricesOf(settings.model.model, settings.prices);
  if (tracker?.budget.maxCost !== undefined && prices === undefined)
    throw new AgentConfigError(`maxCost needs the price of ${settings.model.model ?? "the model"}: add it to prices`);
  const deadline = options.deadline ?? tracker?.budget.deadline;
  const redactor = new Redactor(secretsOf(client.auth));
  const logger = redactedLogger(settings.logger, redactor);
  const limits = new EvaluationLimits({ deadline, signal: options.signal });
  const evaluationId = crypto.randomUUID();
  const facts = { promptName: prompt.eventName, sessionId: session.id, clock };
  const transcript = client.transcript
    ? new Transcript({ ...facts, redactor, raw: client.transcriptRaw, onEntry: options.onTranscript })
    : undefined;
  const onInvoked = emit && ((call: ToolInvokedEvent) => emit({ type: "tool.invoked", call }));
  const watch = new TurnWatch({
    session,
    facts: { ...facts, runContext: options.runContext },
    transcript,
    redactor,
    logger,
    onInvoked,
    onUsage: (usage) => {
      tracker?.recordCumulative(evaluationId, usage, prices && costOf(usage, prices));
      try {
        tracker?.check();
      } catch (error) {
        limits.stop({ kind: "budget", error });
      }
    },
  });
  return {
    settings,
    prompt,
    options,
    session,
    evaluationId,
    tracker,
    deadline,
    limits,
    redactor,
    logger,
    prices,
    transcript,
    watch,
    emit,
    onInvoked,
  };
}

/** Nothing that the agent was given in confidence reaches a log. */
function redactedLogger(logger: Logger, redactor: Redactor): Logger {
  return {
    info: (message, details) => logger.info?.(redactor.text(message), redactor.any(details)),
    warn: (message, details) => logger.warn?.(redactor.text(message), redactor.any(details)),
    error: (message, details) => logger.error?.(redactor.text(message), redactor.any(details)),
  };
}
