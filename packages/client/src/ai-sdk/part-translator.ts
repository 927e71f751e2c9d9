import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type { ThreadItem } from "@quire/protocol";
import type { TurnEvent } from "../turn/turn-event.ts";
import { callPart, resultPart } from "./activity.ts";
import { TextStreams } from "./text-streams.ts";
import type { UsageMeter } from "./usage-meter.ts";

type AgentMessage = Extract<ThreadItem, { type: "agentMessage" }>;

/** Options of a translation. */
export interface TranslatorOptions {
  readonly usage: UsageMeter;
  /** Tells whether the calls of a tool are the AI SDK's own, which it learns of otherwise. */
  isBridged(toolName: string): boolean;
  /** With this, one message alone is the answer: the last. It is held back until the end, and given in this form. */
  readonly reshape?: ((text: string) => string) | undefined;
  /** True when messages before the last are no part of the answer. */
  readonly isAnswerOnly: boolean;
  emit(part: LanguageModelV3StreamPart): void;
}

/** Makes stream parts of the AI SDK out of the events of a turn. */
export class PartTranslator {
  readonly #options: TranslatorOptions;
  readonly #texts: TextStreams;
  /** Messages that are under way and are not the answer. */
  readonly #commentary = new Set<string>();
  /** Calls that this step has seen begin. */
  #begun = new Set<string>();
  readonly #completed = new Set<string>();
  #held: AgentMessage | undefined;
  /** True when events were missed. From then on only what is complete is taken: pieces would leave gaps. */
  #isLagging = false;

  constructor(options: TranslatorOptions) {
    this.#options = options;
    this.#texts = new TextStreams((part) => options.emit(part));
  }

  /** Takes the next event. */
  take(event: TurnEvent): void {
    if (this.#isLagging && /delta$/i.test(event.type)) return;
    switch (event.type) {
      case "lagged":
        this.#isLagging = true;
        break;
      case "item.started":
        this.#started(event.item);
        break;
      case "item.completed":
        this.complete(event.item);
        break;
      case "agentMessage.delta":
        this.#messageDelta(event.itemId, event.delta);
        break;
      case "reasoning.summaryTextDelta":
        this.#texts.delta("reasoning", `${event.itemId}:${event.summaryIndex}`, event.delta);
        break;
      case "reasoning.textDelta":
        this.#texts.delta("reasoning", `${event.itemId}:raw:${event.contentIndex}`, event.delta);
        break;
      case "thread.tokenUsage.updated":
        this.#options.usage.report(event.tokenUsage);
        break;
    }
  }

  /** Takes an item that is complete; one that was taken before is not taken again. */
  complete(item: ThreadItem): void {
    const key = `${item.type} ${item.id}`;
    if (this.#completed.has(key)) return;
    this.#completed.add(key);
    switch (item.type) {
      case "agentMessage":
        this.#message(item);
        break;
      case "plan":
        this.#texts.complete("text", item.id, item.text);
        break;
      case "reasoning":
        for (const [index, text] of (item.summary ?? []).entries())
          this.#texts.complete("reasoning", `${item.id}:${index}`, text);
        for (const [index, text] of (item.content ?? []).entries())
          this.#texts.complete("reasoning", `${item.id}:raw:${index}`, text);
        break;
      default:
        this.#activity(item);
    }
  }

  /** Ends the step, not the turn. */
  pause(): void {
    this.#texts.pause();
    this.#begun = new Set();
  }

  /** The turn is over. */
  finish(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) this.#texts.complete("text", held.id, this.#options.reshape?.(held.text) ?? held.text, metadataOf(held));
    this.pause();
  }

  #started(item: ThreadItem): void {
    if (item.type === "agentMessage") {
      if (this.#options.isAnswerOnly && item.phase === "commentary") this.#commentary.add(item.id);
    } else {
      this.#begin(item);
    }
  }

  #messageDelta(id: string, delta: string): void {
    if (this.#commentary.has(id)) this.#texts.delta("reasoning", id, delta);
    else if (!this.#options.reshape) this.#texts.delta("text", id, delta);
  }

  #message(item: AgentMessage): void {
    if (this.#options.isAnswerOnly && item.phase === "commentary") {
      this.#texts.complete("reasoning", item.id, item.text);
    } else if (this.#options.reshape) {
      // What was held is not the last message, so it was said on the way.
      if (this.#held) this.#texts.complete("reasoning", this.#held.id, this.#held.text);
      this.#held = item;
    } else {
      this.#texts.complete("text", item.id, item.text, metadataOf(item));
    }
  }

  #activity(item: ThreadItem): void {
    const result = this.#isForeign(item) ? undefined : resultPart(item);
    if (!result) return;
    // The AI SDK wants a result to be in one step with its call, so a call of an earlier step is repeated.
    this.#begin(item);
    if (item.type === "imageGeneration" && "result" in item && item.result)
      this.#options.emit({ type: "file", mediaType: "image/png", data: item.result });
    this.#options.emit(result);
  }

  #begin(item: ThreadItem): void {
    if (this.#begun.has(item.id) || this.#isForeign(item)) return;
    const call = callPart(item);
    if (!call) return;
    this.#begun.add(item.id);
    this.#options.emit(call);
  }

  #isForeign(item: ThreadItem): boolean {
    return item.type === "dynamicToolCall" && this.#options.isBridged(item.tool);
  }
}

function metadataOf({ id, phase }: AgentMessage): { codex: { itemId: string; phase: string | null } } {
  return { codex: { itemId: id, phase: phase ?? null } };
}
