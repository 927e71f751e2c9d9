import type { TokenUsage } from "@quire/client/guards";
import { UsageMeter } from "@quire/client/guards";
import type { ThreadItem } from "@quire/protocol";
import type { ToolInvokedEvent } from "../events/canonical.ts";
import { type NativeToolFacts, nativeToolInvoked } from "../events/native-tools.ts";
import type { Logger } from "../lib/logger.ts";
import { publish } from "../session/publish.ts";
import type { Session } from "../session/session.ts";
import type { Redactor } from "../transcript/redactor.ts";
import type { Transcript } from "../transcript/transcript.ts";
import { member, textMember, type WireMessage } from "../transcript/wire.ts";

/** Options of a watch. */
export interface WatchOptions {
  readonly session: Session;
  readonly facts: NativeToolFacts;
  readonly transcript: Transcript | undefined;
  readonly redactor: Redactor;
  readonly logger: Logger;
  /** Called with the event of each of the agent's own tools, after the session got it. */
  readonly onInvoked?: ((event: ToolInvokedEvent) => void) | undefined;
  /** Told whenever more tokens have been used. */
  readonly onUsage: (usage: TokenUsage) => void;
}

/** Errors of the server's own retries that are remembered. */
const mostTransient = 20;

/**
 * Follows the notifications of one evaluation: tells the session of the agent's own tools, counts tokens, and writes the
 * transcript. What belongs to other threads or other turns is left out of the first two.
 */
export class TurnWatch {
  readonly #options: WatchOptions;
  /** Usage reported before the thread was known: that of a resumed thread itself. */
  readonly #earlier = new Map<string, unknown>();
  readonly #seen = new Set<string>();
  readonly #turns = new Set<string>();
  /** True when the model has done anything in our turns yet. */
  #begun = false;
  readonly #transient: string[] = [];
  #meter = new UsageMeter(true);
  #threadId: string | undefined;
  /** A turn was asked for; the next that begins on the thread is ours. */
  #expecting = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Says which thread it is. `isFresh` is whether nothing has happened on it yet. */
  follow(threadId: string, isFresh: boolean): void {
    this.#threadId = threadId;
    this.#meter = new UsageMeter(isFresh);
    if (this.#earlier.has(threadId)) this.#meter.setBaseline(this.#earlier.get(threadId));
    this.#earlier.clear();
  }

  /** Says that a turn is about to be started. */
  expectTurn(): void {
    this.#expecting = true;
  }

  /** Says which turn it became, for a server that does not announce it. */
  turnIs(id: string): void {
    this.#expecting = false;
    this.#turns.add(id);
  }

  /** Tokens of all turns so far. */
  get usage(): TokenUsage | undefined {
    return this.#meter.usage;
  }

  /** Turns so far. */
  get turnIds(): readonly string[] {
    return [...this.#turns];
  }

  /** Failures that the server got over by itself. */
  get transientErrors(): readonly string[] {
    return this.#transient;
  }

  /** Takes the next notification, in the order of the wire. */
  readonly notified = (message: WireMessage): void => {
    const { method, params } = message;
    // The very most, and nothing of it is needed: the text comes whole.
    if (method === "item/agentMessage/delta") return;
    this.#options.transcript?.notified(message, this.#threadId);
    const threadId = textMember(params, "threadId");
    if (method === "thread/tokenUsage/updated") this.#usageUpdated(threadId, params);
    if (threadId === undefined || threadId !== this.#threadId) return;
    if (method === "turn/started") this.#turnStarted(textMember(member(params, "turn"), "id"));
    const turnId = textMember(params, "turnId");
    if (turnId === undefined || !this.#turns.has(turnId)) return;
    if (method.startsWith("item/") && textMember(member(params, "item"), "type") !== "userMessage") this.#begun = true;
    if (method === "item/completed") this.#itemCompleted(member(params, "item"));
    if (method === "error" && member(params, "willRetry") === true)
      this.#remember(textMember(member(params, "error"), "message"));
  };

  #turnStarted(id: string | undefined): void {
    if (id === undefined || !this.#expecting) return;
    this.#expecting = false;
    this.#turns.add(id);
  }

  #usageUpdated(threadId: string | undefined, params: unknown): void {
    const usage = member(params, "tokenUsage");
    if (threadId === undefined) return;
    if (this.#threadId === undefined) this.#earlier.set(threadId, usage);
    if (threadId !== this.#threadId) return;
    const isOurs = this.#turns.has(textMember(params, "turnId") ?? "");
    if (isOurs && (this.#meter.hasBaseline || this.#begun)) {
      if (this.#meter.update(usage) && this.#meter.usage) this.#options.onUsage(this.#meter.usage);
      return;
    }
    // Told again of what was used before: that is where counting begins, and no use of ours. Codex 0.166 does so under
    // the name of an older turn, 0.118 under that of the new one, before the model has done anything.
    if (this.#meter.usage === undefined) this.#meter.setBaseline(usage);
  }

  #itemCompleted(item: unknown): void {
    const key = `${textMember(item, "type")} ${textMember(item, "id")}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const { session, facts, redactor, logger, onInvoked } = this.#options;
    try {
      const event = nativeToolInvoked(redactor.value(item) as ThreadItem, facts);
      if (!event) return;
      publish(session, event, logger);
      onInvoked?.(event);
    } catch (error) {
      logger.warn?.("An item could not be published to the session", error);
    }
  }

  #remember(message: string | undefined): void {
    if (message === undefined) return;
    this.#transient.push(this.#options.redactor.text(message));
    if (this.#transient.length > mostTransient) this.#transient.shift();
  }
}
