import type { RateLimitSnapshot, ResponseItem, ThreadItem } from "@quire/protocol";
import type { EndpointNotice, ModelError, ModelResult, ModelSink } from "../model/model-provider.ts";
import { callOf } from "../record/call-items.ts";
import { completedItem, startedItem } from "../record/model-items.ts";
import { OpenItem } from "../record/open-item.ts";
import type { ToolCall } from "../record/tool-call.ts";
import { type ActiveTurn, Steered } from "../thread/active-turn.ts";
import type { Thread } from "../thread/thread.ts";
import { notifyEndpointNotice } from "./endpoint-notices.ts";
import { PatchPreviews } from "./patch-previews.ts";
import { PlanMessages } from "./plan/plan-messages.ts";
import { notifyLimits, notifyUsage } from "./usage.ts";

/** The result of one model response. */
export interface Outcome {
  /** `undefined` when the response was cut for new input. */
  readonly result: ModelResult | undefined;
  readonly produced: readonly ResponseItem[];
  readonly calls: readonly ToolCall[];
}

/**
 * A model response, turned into items while it streams. Calls run when it is complete, so that retries do nothing
 * twice.
 */
export class ResponseRun implements ModelSink {
  readonly #thread: Thread;
  readonly #turn: ActiveTurn;
  readonly #shown: boolean;
  readonly #open = new Map<string, OpenItem>();
  #produced: ResponseItem[] = [];
  #calls: ToolCall[] = [];
  #last: OpenItem | undefined;
  readonly #plans: PlanMessages | undefined;
  /** Shows patches while they stream, if clients want that. */
  readonly #patches: PatchPreviews | undefined;
  limits: RateLimitSnapshot | undefined;

  /** @param shown True when clients see the model's messages and reasoning. */
  constructor(thread: Thread, turn: ActiveTurn, shown: boolean) {
    this.#thread = thread;
    this.#turn = turn;
    this.#shown = shown;
    if (shown && thread.settings.collaborationMode?.mode === "plan") this.#plans = new PlanMessages(thread, turn);
    if (shown && PatchPreviews.wanted(thread)) this.#patches = new PatchPreviews(thread, turn);
  }

  /** Runs it. Every started item is completed in any case, with its content so far. */
  async run(stream: (sink: ModelSink, signal: AbortSignal) => Promise<ModelResult>): Promise<Outcome> {
    const controller = new AbortController();
    this.#turn.signal.throwIfAborted();
    this.#turn.cut = (reason) => {
      // Calls must be answered first; the new input then follows the outputs.
      if (!(reason instanceof Steered) || this.#calls.length === 0) controller.abort(reason);
    };
    try {
      const result = await stream(this, controller.signal);
      const said = this.#completeOpen();
      return { result, produced: [...this.#produced, ...said], calls: this.#calls };
    } catch (error) {
      const said = this.#completeOpen();
      this.#notifyLimits();
      if (!(controller.signal.reason instanceof Steered)) throw new CutShort(error, this.#produced);
      return { result: undefined, produced: [...this.#produced, ...said], calls: [] };
    } finally {
      this.#turn.cut = undefined;
    }
  }

  itemAdded(item: ResponseItem): void {
    if (!this.#shown) return;
    this.#patches?.added(item);
    if (this.#plans && item.type === "message") {
      this.#plans.added(item);
      return;
    }
    const shown = startedItem(item);
    if (shown) this.#start(shown);
  }

  itemDone(item: ResponseItem): void {
    this.#produced.push(item);
    const call = callOf(item);
    if (call) this.#calls.push(call);
    this.#patches?.done(item);
    if (this.#plans && item.type === "message") {
      this.#plans.done(item);
      return;
    }
    const shown = this.#shown ? completedItem(item) : undefined;
    if (!shown) return;
    // Some endpoints name an item otherwise at its end, or not at all: it is known by what it was announced as.
    const announced = this.#open.get(shown.id) ?? this.#newest(shown.type);
    const { id, startedAtMs } = announced ?? this.#start(startedItem(item) ?? shown);
    this.#open.delete(id);
    this.#last = undefined;
    this.#thread.completeItem(this.#turn.id, { ...shown, id, startedAtMs });
  }

  textDelta(itemId: string, delta: string): void {
    if (!this.#shown) return;
    if (this.#plans) {
      this.#plans.delta(itemId, delta);
      return;
    }
    const open = this.#item(itemId, "agentMessage");
    open.text += delta;
    this.#thread.notify("item/agentMessage/delta", {
      threadId: this.#thread.id,
      turnId: this.#turn.id,
      itemId: open.id,
      delta,
    });
  }

  reasoningSummaryPart(itemId: string, summaryIndex: number): void {
    if (!this.#shown) return;
    const { id } = this.#item(itemId, "reasoning");
    this.#thread.notify("item/reasoning/summaryPartAdded", {
      threadId: this.#thread.id,
      turnId: this.#turn.id,
      itemId: id,
      summaryIndex,
    });
  }

  reasoningSummaryDelta(itemId: string, summaryIndex: number, delta: string): void {
    if (!this.#shown) return;
    const open = this.#item(itemId, "reasoning");
    open.summary[summaryIndex] = (open.summary[summaryIndex] ?? "") + delta;
    this.#thread.notify("item/reasoning/summaryTextDelta", {
      threadId: this.#thread.id,
      turnId: this.#turn.id,
      itemId: open.id,
      delta,
      summaryIndex,
    });
  }

  reasoningDelta(itemId: string, contentIndex: number, delta: string): void {
    if (!this.#shown) return;
    const open = this.#item(itemId, "reasoning");
    open.content[contentIndex] = (open.content[contentIndex] ?? "") + delta;
    this.#thread.notify("item/reasoning/textDelta", {
      threadId: this.#thread.id,
      turnId: this.#turn.id,
      itemId: open.id,
      delta,
      contentIndex,
    });
  }

  toolInputDelta(itemId: string, callId: string | null, delta: string): void {
    this.#patches?.delta(itemId, callId, delta);
  }

  rateLimits(snapshot: RateLimitSnapshot): void {
    this.limits = snapshot;
  }

  notice(notice: EndpointNotice): void {
    notifyEndpointNotice(this.#thread, this.#turn, notice);
  }

  retrying(error: ModelError, attempt: number, attempts: number): void {
    this.#completeOpen();
    this.#produced = [];
    this.#calls = [];
    this.#notifyLimits();
    this.limits = undefined;
    this.#thread.notify("error", {
      threadId: this.#thread.id,
      turnId: this.#turn.id,
      willRetry: true,
      error: {
        message: `Reconnecting... ${attempt}/${attempts}`,
        codexErrorInfo: error.info,
        additionalDetails: error.details ?? error.message,
        misalignment: null,
      },
    });
  }

  #notifyLimits(): void {
    if (!this.limits) return;
    notifyUsage(this.#thread, this.#turn.id);
    notifyLimits(this.#thread, this.limits);
  }

  ready(): Promise<void> | undefined {
    return this.#thread.drained();
  }

  /** The item of deltas, started here if the model did not announce it. */
  #item(itemId: string, type: "agentMessage" | "reasoning"): OpenItem {
    // Deltas come in runs of the same item: most need no lookup.
    if (this.#last?.id === itemId) return this.#last;
    const known = itemId === "" ? this.#newest(type) : this.#open.get(itemId);
    const open = known ?? this.#start(OpenItem.empty(itemId || Bun.randomUUIDv7(), type));
    this.#last = open;
    return open;
  }

  #newest(type: ThreadItem["type"]): OpenItem | undefined {
    return [...this.#open.values()].findLast((open) => open.type === type);
  }

  #start(item: ThreadItem): OpenItem {
    const open = new OpenItem(item, Date.now());
    this.#open.set(open.id, open);
    this.#thread.startItem(this.#turn.id, { ...item, startedAtMs: open.startedAtMs });
    return open;
  }

  /** Completes open items. Returns their text for the history. */
  #completeOpen(): ResponseItem[] {
    const said: ResponseItem[] = this.#plans?.completeOpen() ?? [];
    for (const open of this.#open.values()) {
      this.#thread.completeItem(this.#turn.id, open.asCompleted());
      if (open.type === "agentMessage" && open.text !== "") said.push(open.asResponseItem());
    }
    this.#open.clear();
    this.#last = undefined;
    return said;
  }
}

/** A response failed; what it had brought whole is kept. */
export class CutShort extends Error {
  override readonly name = "CutShort";
  readonly produced: readonly ResponseItem[];

  constructor(cause: unknown, produced: readonly ResponseItem[]) {
    super("the response was cut short", { cause });
    this.produced = produced;
  }
}
