import type { TurnHandle, TurnResult } from "@quire/client";
import { checkItem } from "@quire/client/guards";
import type { ThreadItem } from "@quire/protocol";
import type { Redactor } from "../transcript/redactor.ts";
import type { AgentHooks, AgentTurnContext } from "./agent-hooks.ts";
import type { EvaluationEvent } from "./evaluation-event.ts";
import type { EvaluationLimits } from "./evaluation-limits.ts";
import type { TurnWatch } from "./turn-watch.ts";

/** The parts that following a turn's events needs. */
export interface EventsRequest {
  readonly watch: TurnWatch;
  readonly redactor: Redactor;
  readonly limits: EvaluationLimits;
  readonly hooks: AgentHooks;
  /** Hears of events as they happen; undefined if nobody does. */
  readonly emit: ((event: EvaluationEvent) => void) | undefined;
}

/** Passes a turn's events on, without secrets, and shows its items to hooks and guardrails. */
export class FollowedEvents {
  readonly #request: EventsRequest;
  readonly #context: AgentTurnContext;
  readonly #seen = new Set<string>();
  #passed: Promise<void> | undefined;

  constructor(request: EventsRequest, context: AgentTurnContext) {
    this.#request = request;
    this.#context = context;
  }

  /** Begins to follow a turn, if anybody wants to know. */
  follow(turn: TurnHandle): void {
    const { emit, hooks } = this.#request;
    if (emit || hooks.afterItem || hooks.guardrails?.some(({ item }) => item)) this.#passed = this.#pass(turn);
  }

  /** Waits until the last event was passed on. Without events that a slow hook missed, no item goes unseen. */
  async finish(result: TurnResult): Promise<void> {
    if (!this.#passed) return;
    const rest = this.#passed.then(async () => {
      for (const item of result.items) await this.#check(item);
    });
    // An abort does not wait for hooks; the evaluation knows its reason.
    await this.#request.limits.guard(rest).catch(() => undefined);
  }

  async #pass(turn: TurnHandle): Promise<void> {
    const { emit, redactor, watch } = this.#request;
    try {
      for await (const event of turn) {
        emit?.(redactor.value(event));
        const { usage } = watch;
        if (event.type === "thread.tokenUsage.updated" && usage) emit?.({ type: "usage.updated", usage });
        if (event.type === "item.completed") await this.#check(event.item);
      }
    } catch {
      // A failed turn throws out of its loop, too.
    }
  }

  async #check(item: ThreadItem): Promise<void> {
    const { limits, hooks } = this.#request;
    if (limits.signal.aborted || this.#seen.has(item.id)) return;
    this.#seen.add(item.id);
    try {
      await checkItem(item, hooks, this.#context);
    } catch (error) {
      limits.stop({ kind: "rule", error });
    }
  }
}
