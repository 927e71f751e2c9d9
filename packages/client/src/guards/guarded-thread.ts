import type { ThreadItem } from "@quire/protocol";
import { onAbort } from "../lib/on-abort.ts";
import { untilAborted } from "../lib/until-aborted.ts";
import type { JsonOutputOptions, OutputOptions, RunOptions, TurnOptions } from "../thread/run-turn.ts";
import type { ThreadHandle } from "../thread/thread-handle.ts";
import type { TurnHandle } from "../turn/turn-handle.ts";
import type { TurnInput } from "../turn/turn-input.ts";
import { type GuardedResult, GuardedTurn, type StartedTurn } from "./guarded-turn.ts";
import { checkInput, checkItem, type TurnContext, type TurnRules } from "./guardrails.ts";
import { LimitError } from "./limit-error.ts";
import { costOf, type ModelPrices, type PriceTable, pricesOf } from "./prices.ts";
import type { TurnBudget, TurnShare } from "./turn-budget.ts";
import { TurnMeter } from "./turn-meter.ts";

/** Options of {@link guardThread}. */
export interface GuardOptions extends TurnRules {
  /** Limits that the thread's turns share, with other threads too. */
  readonly budget?: TurnBudget | undefined;
  /** The model of the turns, to find its prices. A turn's own `model` goes before it. */
  readonly model?: string | undefined;
  /** Prices by model. */
  readonly prices?: PriceTable | undefined;
}

/** A turn while it is guarded. */
interface GuardedRun {
  readonly context: TurnContext;
  readonly prices: ModelPrices | undefined;
  readonly meter: TurnMeter;
  readonly share: TurnShare | undefined;
  /** Stops the turn, which rejects with the error. */
  stop(error: unknown): void;
}

/** A thread whose turns run with hooks, guardrails and a budget. */
export class GuardedThread {
  readonly thread: ThreadHandle;
  readonly #options: GuardOptions;
  #turns = 0;

  /** @internal Made by `guardThread()`. */
  constructor(thread: ThreadHandle, options: GuardOptions) {
    this.thread = thread;
    this.#options = options;
  }

  /** Starts a turn. The handle is given at once: iterate it, await it, or both. */
  run(input: TurnInput, options?: TurnOptions & { readonly output?: undefined }): GuardedTurn;
  run<Output>(input: TurnInput, options: OutputOptions<Output>): GuardedTurn<Output>;
  run(input: TurnInput, options: JsonOutputOptions): GuardedTurn<unknown>;
  run(input: TurnInput, options: RunOptions = {}): GuardedTurn<unknown> {
    const controller = new AbortController();
    const { signal } = options;
    if (signal?.aborted) controller.abort(signal.reason);
    const forget = signal && onAbort(signal, () => controller.abort(signal.reason));
    const context = { threadId: this.thread.id, turn: ++this.#turns, signal: controller.signal };
    const run = (async (): Promise<GuardedRun & StartedTurn<unknown>> => {
      const prices = pricesOf(options.model ?? this.#options.model, this.#options.prices);
      const checked = await checkInput(input, this.#options, context);
      controller.signal.throwIfAborted();
      const share = this.#options.budget?.begin(prices);
      const turn = this.thread.run(checked, {
        ...options,
        signal: controller.signal,
      } as TurnOptions) as TurnHandle<unknown>;
      return { context, prices, meter: new TurnMeter(), share, turn, stop: (error) => controller.abort(error) };
    })();
    const result = run.then((started) => this.#follow(started));
    const end = () => {
      forget?.();
      controller.abort(new Error("The turn has ended"));
    };
    result.then(end, end);
    return new GuardedTurn(run, result);
  }

  async #follow(run: GuardedRun & StartedTurn<unknown>): Promise<GuardedResult<unknown>> {
    const { turn, meter, prices, stop } = run;
    const stopTimer = this.#startTimer(stop);
    let failure: { readonly error: unknown } | undefined;
    const seen = new Set<string>();
    const check = async (item: ThreadItem) => {
      if (failure || seen.has(item.id)) return;
      seen.add(item.id);
      try {
        await checkItem(item, this.#options, run.context);
      } catch (error) {
        failure = { error };
        stop(error);
      }
    };
    const watched = this.#watch(run, check);
    try {
      const result = await turn;
      const checked = watched.then(async () => {
        // A slow guardrail may have lagged behind: no item passes unseen.
        for (const item of result.items) await check(item);
      });
      // A hook that never returns does not hold up an abort.
      await untilAborted(checked, run.context.signal).catch((error: unknown) => {
        throw failure ? failure.error : error;
      });
      if (failure) throw failure.error;
      const { usage: turnUsage } = meter;
      return { ...result, turnUsage, cost: turnUsage && prices ? costOf(turnUsage, prices) : undefined };
    } finally {
      stopTimer();
    }
  }

  /** Counts tokens and shows items to the rules. The turn itself says how it ended. */
  async #watch(
    { turn, meter, share, stop }: GuardedRun & StartedTurn<unknown>,
    check: (item: ThreadItem) => Promise<void>,
  ): Promise<void> {
    try {
      for await (const event of turn) {
        const usage = meter.take(event);
        if (usage) {
          share?.record(usage);
          this.#hold(stop);
        }
        if (event.type === "item.completed") await check(event.item);
      }
    } catch {
      // Awaiting the turn rejects with the same error.
    }
  }

  #hold(stop: (error: unknown) => void): void {
    try {
      this.#options.budget?.check();
    } catch (error) {
      stop(error);
    }
  }

  #startTimer(stop: (error: unknown) => void): () => void {
    const { budget } = this.#options;
    const left = budget?.remainingMs;
    if (budget === undefined || left === undefined) return () => undefined;
    const timer = setTimeout(() => stop(new LimitError("maxMs", budget.limits.maxMs ?? 0, budget.spent)), left);
    return () => clearTimeout(timer);
  }
}

/**
 * Runs a thread's turns with hooks, guardrails and a budget:
 *
 * ```ts
 * const guarded = guardThread(thread, {
 *   budget: new TurnBudget({ maxCost: 2, maxTurns: 20 }),
 *   model: "gpt-5.5",
 *   prices: { "gpt-5.5": { input: 1.25, cachedInput: 0.125, output: 10 } },
 *   guardrails: [{ name: "no-env", item: (item) => (item.type === "commandExecution" && /printenv/.test(item.command) ? "reads the environment" : undefined) }],
 * });
 * const { agentMessage, cost } = await guarded.run("Fix the failing test");
 * ```
 */
export function guardThread(thread: ThreadHandle, options: GuardOptions): GuardedThread {
  return new GuardedThread(thread, options);
}
