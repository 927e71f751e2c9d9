import type { NotificationMessage } from "@quire/jsonrpc";
import type { ThreadItem, ThreadTokenUsage, Turn, TurnPlanStep, TurnError as WireTurnError } from "@quire/protocol";
import { DeltaText } from "./delta-text.ts";
import { type TurnEvent, toEvent } from "./turn-event.ts";
import type { TurnResult } from "./turn-result.ts";

/** Events kept for consumers that come late or fall behind. Beyond it the oldest half is let go. */
const maxKeptEvents = 10_000;

/** Params as far as they have been checked: an object, whose members are looked at one by one. */
type Params = {
  readonly turn?: Turn;
  readonly item?: ThreadItem;
  readonly itemId?: string;
  readonly delta?: string;
  readonly diff?: string;
  readonly plan?: readonly TurnPlanStep[];
  readonly tokenUsage?: ThreadTokenUsage;
  readonly error?: WireTurnError;
  readonly willRetry?: boolean;
};

/** Params of `item/agentMessage/delta`, unchecked. */
export interface DeltaParams {
  readonly threadId?: string;
  readonly turnId?: string;
  readonly itemId?: unknown;
  readonly delta?: unknown;
}

/** The members that {@link DeltaParams} names. */
const deltaMembers = 4;

/**
 * All that is known of one turn: the events of late, for those who iterate, and what they add up to, for those who
 * await. It is fed in order by the thread it belongs to and knows nothing of connections.
 */
export class TurnLog {
  readonly id: string;
  readonly threadId: string;
  /** How many events there were; an idle timer compares it with what it last saw. */
  count = 0;
  /** Set once, by `turn/completed` or by what ended the connection. */
  ended: { readonly turn: Turn } | { readonly error: unknown } | undefined;
  readonly #items = new Map<string, ThreadItem>();
  readonly #started = new Set<string>();
  readonly #deltas = new Map<string, DeltaText>();
  /** The item of the last delta, and its text. */
  #speaking: { readonly itemId: string; readonly text: DeltaText } | undefined;
  #events: TurnEvent[] = [];
  #trimming = false;
  /** Index of the first event that is still kept. */
  #base = 0;
  #waiting: (() => void)[] = [];
  /** Those who wait for the end alone. */
  readonly #awaiting: (() => void)[] = [];
  #diff: string | undefined;
  #plan: readonly TurnPlanStep[] | undefined;
  #usage: ThreadTokenUsage | undefined;
  #error: WireTurnError | undefined;

  constructor(threadId: string, id: string) {
    this.threadId = threadId;
    this.id = id;
  }

  /** Takes the next notification. An item that was seen before is not taken again. */
  push(message: NotificationMessage): void {
    if (!this.ended && this.#take(message.method, message.params as Params)) this.#append(toEvent(message));
  }

  /**
   * The same for a piece of an agent's message, of which a long one has very many: of what the message brought nothing is
   * kept but the piece, for what is kept is what costs. Says `false` where there is more to the message than that.
   */
  pushDelta(params: DeltaParams): boolean {
    const { itemId, delta } = params;
    if (typeof itemId !== "string" || typeof delta !== "string" || countMembers(params) !== deltaMembers) return false;
    if (this.ended) return true;
    const speaking = this.#say(itemId, delta);
    this.#append({
      type: "agentMessage.delta",
      threadId: this.threadId,
      turnId: this.id,
      itemId: speaking.itemId,
      delta,
    });
    return true;
  }

  #append(event: TurnEvent): void {
    this.count++;
    this.#events.push(event);
    if (this.#events.length > maxKeptEvents && !this.#trimming) this.#trimLater();
    if (this.#waiting.length > 0 || this.ended) this.#wake();
  }

  /** Not at once: before a timer fires, whoever keeps up has taken all that came, however much that was. */
  #trimLater(): void {
    this.#trimming = true;
    setTimeout(() => {
      this.#trimming = false;
      const excess = this.#events.length - (maxKeptEvents >> 1);
      this.#events = this.#events.slice(excess);
      this.#base += excess;
    }, 0);
  }

  /** The turn will have no further event: the connection is gone, or its owner gave up. */
  fail(error: unknown): void {
    if (this.ended) return;
    this.ended = { error };
    this.#wake();
  }

  /** The event at this index, or how many were let go before the oldest that is left. */
  at(index: number): TurnEvent | number | undefined {
    return index < this.#base ? this.#base - index : this.#events[index - this.#base];
  }

  /** Resolves at the next event, or at the end. */
  next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves at the end. */
  end(): Promise<void> {
    return this.ended ? Promise.resolve() : new Promise((resolve) => this.#awaiting.push(resolve));
  }

  /** Items that completed, in order. */
  get items(): readonly ThreadItem[] {
    return [...this.#items.values()];
  }

  /** Whether an item has been seen to complete. */
  hasCompleted(item: ThreadItem): boolean {
    return this.#items.has(keyOf(item));
  }

  /** Whether an item has been seen to begin. */
  hasStarted(item: ThreadItem): boolean {
    return this.#started.has(keyOf(item));
  }

  /** The error that the server reported last, if it does not retry. */
  get error(): WireTurnError | undefined {
    return this.#error;
  }

  /** What it all came to. */
  result(turn: Turn): TurnResult {
    const items = this.items;
    const messages = items.filter((item) => item.type === "agentMessage");
    const said = messages.at(-1)?.text ?? [...this.#deltas.values()].at(-1)?.toString() ?? "";
    return {
      turn,
      status: turn.status,
      items,
      agentMessage: said,
      diff: this.#diff,
      plan: this.#plan,
      usage: this.#usage,
      output: undefined,
    };
  }

  #take(method: string, params: Params): boolean {
    switch (method) {
      case "item/agentMessage/delta":
        this.#say(params.itemId ?? "", params.delta ?? "");
        return true;
      case "item/started":
        return params.item !== undefined && this.#start(keyOf(params.item));
      case "item/completed":
        return params.item !== undefined && this.#complete(params.item);
      case "turn/diff/updated":
        this.#diff = params.diff;
        return true;
      case "turn/plan/updated":
        this.#plan = params.plan;
        return true;
      case "thread/tokenUsage/updated":
        this.#usage = params.tokenUsage;
        return true;
      case "error":
        if (!params.willRetry) this.#error = params.error;
        return true;
      case "turn/completed":
        if (params.turn) this.ended = { turn: params.turn };
        return true;
      default:
        return true;
    }
  }

  #say(itemId: string, delta: string): { readonly itemId: string } {
    if (this.#speaking?.itemId !== itemId) this.#speaking = { itemId, text: this.#textOf(itemId) };
    this.#speaking.text.push(delta);
    return this.#speaking;
  }

  #textOf(itemId: string): DeltaText {
    let text = this.#deltas.get(itemId);
    if (!text) {
      text = new DeltaText();
      this.#deltas.set(itemId, text);
    }
    return text;
  }

  #start(key: string): boolean {
    if (this.#started.has(key) || this.#items.has(key)) return false;
    this.#started.add(key);
    return true;
  }

  #complete(item: ThreadItem): boolean {
    const key = keyOf(item);
    if (this.#items.has(key)) return false;
    this.#deltas.delete(item.id);
    this.#speaking = undefined;
    this.#started.delete(key);
    this.#items.set(key, item);
    return true;
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
    if (this.ended) for (const resolve of this.#awaiting.splice(0)) resolve();
  }
}

function countMembers(object: object): number {
  let count = 0;
  for (const _ in object) count++;
  return count;
}

/** Codex 0.98 gives both markers of a review the id of their turn, so the id alone does not tell items apart. */
function keyOf(item: ThreadItem): string {
  return `${item.type} ${item.id}`;
}
