import type { MessageResponseItem, TokenUsageBreakdown } from "@quire/protocol";
import { untilAborted } from "../../lib/until-aborted.ts";
import { type Clock, pause, systemClock } from "../clock.ts";
import { disconnected } from "../failure.ts";
import type { ModelProvider, ModelRequest, ModelSink } from "../model-provider.ts";
import { answer } from "./answer.ts";
import type { Part } from "./parts.ts";

/** The built-in model. It answers the same request the same way, and obeys plain commands (`run: ls`). */
export function offlineProvider(clock: Clock = systemClock): ModelProvider {
  return {
    id: "offline",
    async stream(request, sink, signal) {
      signal.throwIfAborted();
      const speaker = new Speaker(request, { sink, signal, clock });
      for (const part of answer(request)) {
        await speaker.speak(part);
        signal.throwIfAborted();
      }
      return { responseId: speaker.id("resp"), usage: usage(request, speaker.said), endTurn: null };
    },
  };
}

interface TransportContext {
  readonly sink: ModelSink;
  readonly signal: AbortSignal;
  readonly clock: Clock;
}

/** Words between two checks whether the client keeps up. */
const wordsAtOnce = 64;

class Speaker {
  readonly #seed: string;
  readonly #to: TransportContext;
  #ids = 0;
  /** Characters so far, including reasoning. */
  readonly said = { text: 0, reasoning: 0 };

  constructor(request: ModelRequest, to: TransportContext) {
    // Ids have to differ between requests of a thread, and be the same when a request is repeated.
    this.#seed = `${request.threadId}:${request.turnId}:${request.input.length}`;
    this.#to = to;
  }

  id(prefix: string): string {
    return `${prefix}_${Bun.hash(`${this.#seed}:${this.#ids++}`).toString(36)}`;
  }

  async speak(part: Part): Promise<void> {
    const { sink } = this.#to;
    switch (part.kind) {
      case "think":
        return await this.#think(part.text);
      case "say":
        return await this.#say(part.text, part.delayMs ?? 0);
      case "search": {
        const item = { type: "web_search_call" as const, id: this.id("ws") };
        sink.itemAdded({ ...item, status: "in_progress" });
        sink.itemDone({ ...item, status: "completed", action: { type: "search", query: part.query } });
        return await this.#say("Nothing was searched: I am Quire's offline model.", 0);
      }
      case "call":
        this.#call(part);
        return;
      case "retry":
        return await this.#retry(part.times);
      case "fail":
        throw part.failure.toModelError();
    }
  }

  async #think(text: string): Promise<void> {
    const { sink } = this.#to;
    const id = this.id("rs");
    sink.itemAdded({ type: "reasoning", id, summary: [] });
    sink.reasoningSummaryPart(id, 0);
    await this.#words(text, 0, (word) => sink.reasoningSummaryDelta(id, 0, word));
    this.said.reasoning += text.length;
    sink.itemDone({ type: "reasoning", id, summary: [{ type: "summary_text", text }], encrypted_content: null });
  }

  async #say(text: string, delayMs: number): Promise<void> {
    const { sink } = this.#to;
    const item = { type: "message" as const, id: this.id("msg"), role: "assistant" };
    const message = (content: MessageResponseItem["content"], status: string): MessageResponseItem => ({
      ...item,
      status,
      content,
    });
    sink.itemAdded(message([], "in_progress"));
    await this.#words(text, delayMs, (word) => sink.textDelta(item.id, word));
    this.said.text += text.length;
    sink.itemDone(message([{ type: "output_text", text }], "completed"));
  }

  #call({ tool, input }: Extract<Part, { kind: "call" }>): void {
    const { sink } = this.#to;
    const called = {
      call_id: this.id("call"),
      name: tool.name,
      ...(tool.namespace !== null && { namespace: tool.namespace }),
    };
    this.said.text += input.length;
    if (tool.custom) {
      const item = { type: "custom_tool_call" as const, id: this.id("ctc"), ...called };
      sink.itemAdded({ ...item, input: "", status: "in_progress" });
      sink.toolInputDelta(item.id, item.call_id, input);
      sink.itemDone({ ...item, input, status: "completed" });
    } else {
      const item = { type: "function_call" as const, id: this.id("fc"), ...called };
      sink.itemAdded({ ...item, arguments: "", status: "in_progress" });
      sink.itemDone({ ...item, arguments: input, status: "completed" });
    }
  }

  async #retry(times: number): Promise<void> {
    const { sink, signal, clock } = this.#to;
    const failure = disconnected("the offline model was asked to lose the connection");
    for (let attempt = 1; attempt <= times; attempt++) {
      sink.retrying(failure.toRetryNotice(attempt, times), attempt, times);
      await pause(clock, 10, signal);
    }
  }

  /** Word by word, no faster than the client reads, ended at once by the signal. */
  async #words(text: string, delayMs: number, deliver: (word: string) => void): Promise<void> {
    const { sink, signal, clock } = this.#to;
    let count = 0;
    for (const [word] of text.matchAll(/\s*\S+\s?|\s+/g)) {
      if (count > 0 && delayMs > 0) await pause(clock, delayMs, signal);
      deliver(word);
      if (++count % wordsAtOnce !== 0) continue;
      const ready = sink.ready();
      if (ready !== undefined) await untilAborted(ready, signal);
      signal.throwIfAborted();
    }
  }
}

const charsPerToken = 4;

function usage(request: ModelRequest, said: Speaker["said"]): TokenUsageBreakdown {
  const tokens = (chars: number): number => Math.ceil(chars / charsPerToken);
  const inputTokens = tokens(JSON.stringify(request.input).length);
  const reasoningOutputTokens = tokens(said.reasoning);
  const outputTokens = tokens(said.text) + reasoningOutputTokens;
  return {
    totalTokens: inputTokens + outputTokens,
    inputTokens,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens,
    reasoningOutputTokens,
  };
}
