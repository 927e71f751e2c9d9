import type { MessageResponseItem, PlanThreadItem, ResponseItem, ThreadItem } from "@quire/protocol";
import { startedItem, textOf } from "../../record/model-items.ts";
import { OpenItem } from "../../record/open-item.ts";
import type { ActiveTurn } from "../../thread/active-turn.ts";
import type { Thread } from "../../thread/thread.ts";
import { type PlanPiece, PlanSplitter, splitPlan } from "./plan-splitter.ts";

interface Streaming {
  readonly item: ThreadItem;
  readonly splitter: PlanSplitter;
  /** All text so far, including tags. */
  raw: string;
  /** Blank text that is shown once something follows. */
  lead: string;
  /** Set once there is text beside the plan. */
  open: OpenItem | undefined;
}

/**
 * The messages of a turn in plan mode. A plan becomes an item of its own, the rest of the message another; empty ones
 * are not shown. The history keeps the model's text.
 */
export class PlanMessages {
  readonly #thread: Thread;
  readonly #turn: ActiveTurn;
  readonly #streaming = new Map<string, Streaming>();
  #plan: PlanThreadItem | undefined;

  constructor(thread: Thread, turn: ActiveTurn) {
    this.#thread = thread;
    this.#turn = turn;
  }

  /** A message begins; it is shown with its first word. */
  added(item: MessageResponseItem): void {
    const shown = startedItem(item);
    if (shown) this.#begin(shown);
  }

  delta(itemId: string, delta: string): void {
    const known = itemId === "" ? this.#newest : this.#streaming.get(itemId);
    const message = known ?? this.#begin(OpenItem.empty(itemId || Bun.randomUUIDv7(), "agentMessage"));
    message.raw += delta;
    this.#show(message, message.splitter.push(delta));
  }

  done(item: MessageResponseItem): void {
    const shown = startedItem(item);
    if (!shown) return;
    // A message whose id changes at its end is known by its first id.
    this.#finish(this.#streaming.get(shown.id) ?? this.#newest ?? this.#begin(shown), textOf(item));
  }

  /** Completes open messages. Returns their text for the history. */
  completeOpen(): ResponseItem[] {
    return [...this.#streaming.values()].flatMap((message) => {
      const { item, raw } = message;
      this.#finish(message, raw);
      const content = [{ type: "output_text" as const, text: raw }];
      return raw === "" ? [] : [{ type: "message", role: "assistant", id: item.id, content }];
    });
  }

  get #newest(): Streaming | undefined {
    return [...this.#streaming.values()].at(-1);
  }

  #begin(item: ThreadItem): Streaming {
    const message = { item, splitter: new PlanSplitter(), raw: "", lead: "", open: undefined };
    this.#streaming.set(item.id, message);
    return message;
  }

  #finish(message: Streaming, text: string): void {
    this.#streaming.delete(message.item.id);
    this.#show(message, message.splitter.end());
    const { said, plan } = splitPlan(text);
    if (plan !== undefined) this.#completePlan(plan);
    if (said.trim() === "" && !message.open) return;
    const { startedAtMs } = message.open ?? this.#open(message);
    this.#thread.completeItem(this.#turn.id, { ...message.item, text: said, startedAtMs } as ThreadItem);
  }

  #show(message: Streaming, pieces: readonly PlanPiece[]): void {
    for (const { plan, text } of pieces) {
      if (plan) this.#planDelta(text);
      else if (!message.open && text.trim() === "") message.lead += text;
      else this.#say(message, text);
    }
  }

  #say(message: Streaming, text: string): void {
    const open = message.open ?? this.#open(message);
    const delta = message.lead + text;
    message.lead = "";
    this.#thread.notify("item/agentMessage/delta", { ...this.#ids(), itemId: open.id, delta });
  }

  #open(message: Streaming): OpenItem {
    const open = new OpenItem(message.item, Date.now());
    message.open = open;
    this.#thread.startItem(this.#turn.id, { ...message.item, startedAtMs: open.startedAtMs });
    return open;
  }

  #planDelta(delta: string): void {
    const plan = this.#plan ?? this.#startPlan();
    if (delta === "") return;
    this.#thread.notify("item/plan/delta", { ...this.#ids(), itemId: plan.id, delta });
  }

  #startPlan(): PlanThreadItem {
    const turn = this.#thread.record.turns.at(-1);
    const before = turn?.items.filter(({ type }) => type === "plan").length ?? 0;
    // Codex has one plan in a turn, under this id, and drops any other.
    const id = `${this.#turn.id}-plan${before === 0 ? "" : `-${before + 1}`}`;
    this.#plan = { type: "plan", id, text: "", startedAtMs: Date.now() };
    this.#thread.startItem(this.#turn.id, this.#plan);
    return this.#plan;
  }

  #completePlan(text: string): void {
    const plan = this.#plan ?? this.#startPlan();
    this.#plan = undefined;
    this.#thread.completeItem(this.#turn.id, { ...plan, text });
  }

  #ids(): { readonly threadId: string; readonly turnId: string } {
    return { threadId: this.#thread.id, turnId: this.#turn.id };
  }
}
