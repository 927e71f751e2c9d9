import type { NotificationMessage } from "@quire/jsonrpc";
import type { ThreadItem, ThreadTokenUsage, Turn, TurnPlanStep, TurnError as WireTurnError } from "@quire/protocol";
import { DeltaText } from "./delta-text.ts";
import { EventLog } from "./event-log.ts";
import { type TurnEvent, toEvent } from "./turn-event.ts";
import type { TurnResult } from "./turn-result.ts";

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

/**
 * All that is known of one turn: the events of late, for those who iterate, and what they add up to, for those who
 * await. It is fed in order by the thread it belongs to and knows nothing of connections.
 */
export class TurnLog {
  readonly id: string;
  readonly threadId: string;
  /** The number of events so far, which an idle timer compares with the number it last saw. */
  count = 0;
  /** Set once, by `turn/completed` or by what ended the connection. */
  ended: { readonly turn: Turn } | { readonly error: unknown } | undefined;
  readonly #items = new Map<string, ThreadItem>();
  readonly #started = new Set<string>();
  readonly #deltas = new Map<string, DeltaText>();
  readonly #events: EventLog;
  #waiting: (() => void)[] = [];
  /** Resolvers of those that await the end alone. */
  readonly #awaiting: (() => void)[] = [];
  #diff: string | undefined;
  #plan: readonly TurnPlanStep[] | undefined;
  #usage: ThreadTokenUsage | undefined;
  #error: WireTurnError | undefined;

  constructor(threadId: string, id: string) {
    this.threadId = threadId;
    this.id = id;
    this.#events = new EventLog(threadId, id);
  }

  /** Takes the next notification. An item that was seen before is not taken again. */
  push(message: NotificationMessage): void {
    if (this.ended || !this.#take(message.method, message.params as Params)) return;
    this.#events.push(toEvent(message));
    this.#arrived();
  }

  /** The same for pieces of an agent's message, of which a long one has very many: nothing is kept but the pieces. */
  pushDeltas(itemId: string, deltas: readonly string[]): void {
    if (this.ended) return;
    this.#speak(itemId).push(deltas.join(""));
    this.#events.pushDeltas(itemId, deltas);
    this.#arrived(deltas.length);
  }

  #arrived(events = 1): void {
    this.count += events;
    if (this.#waiting.length > 0 || this.ended) this.#wake();
  }

  /** The turn will have no further event: the connection is gone, or its owner gave up. */
  fail(error: unknown): void {
    if (this.ended) return;
    this.ended = { error };
    this.#wake();
  }

  /** Some events from this index on, or how many were released before the oldest that is left. */
  from(index: number): readonly TurnEvent[] | number {
    return this.#events.from(index);
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

  /** Tells whether an item has been seen to complete. */
  hasCompleted(item: ThreadItem): boolean {
    return this.#items.has(keyOf(item));
  }

  /** Tells whether an item has been seen to begin. */
  hasStarted(item: ThreadItem): boolean {
    return this.#started.has(keyOf(item));
  }

  /** The error that the server reported last, if it does not retry. */
  get error(): WireTurnError | undefined {
    return this.#error;
  }

  /** The result of the turn. */
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
        this.#speak(params.itemId ?? "").push(params.delta ?? "");
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

  #speak(itemId: string): DeltaText {
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

/** Codex 0.98 gives both markers of a review the id of their turn, so the id alone does not tell items apart. */
function keyOf(item: ThreadItem): string {
  return `${item.type} ${item.id}`;
}
