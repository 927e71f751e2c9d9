import type { IdSource, OutputItem, Piece } from "./event-stream.ts";
import type { CallOptions, ReasoningOptions, TextOptions } from "./parts.ts";
import { playResponses } from "./play-responses.ts";
import { type RateLimits, rateLimitHeaders } from "./rate-limits.ts";
import type { Chunks } from "./split-text.ts";
import type { Ending, ReplyScript, ReplyUsage, Step } from "./steps.ts";

/**
 * A response of the model, built in the order in which it is streamed. Reusable: each use gets ids of its own. Made by
 * {@link reply}. Every mock plays it, each in the words of its API.
 */
export class Reply {
  readonly #steps: Step[] = [];
  readonly #headers: Record<string, string> = {};
  #usage: ReplyUsage = { input: 100, output: 10 };
  #ending: Ending = { type: "completed" };

  /** An assistant message. Given as chunks, each is one delta, and a promise among them holds the stream. */
  text(text: string | Chunks, options: TextOptions = {}): this {
    return this.#add({ type: "text", text, options });
  }

  /** A reasoning item with its summary, one string for each part. */
  reasoning(summary: readonly string[], options: ReasoningOptions = {}): this {
    return this.#add({ type: "reasoning", summary, options });
  }

  /** A function call. Several in one reply are parallel calls. A string is sent as it is, even if it is no JSON. */
  functionCall(name: string, args: object | string, options: CallOptions = {}): this {
    const input = typeof args === "string" ? args : JSON.stringify(args);
    return this.#add({ type: "call", call: { type: "function_call", name, input, ...options } });
  }

  /** A call of a freeform tool such as `apply_patch`. */
  customToolCall(name: string, input: string, options: CallOptions = {}): this {
    return this.#add({ type: "call", call: { type: "custom_tool_call", name, input, ...options } });
  }

  /** A web search that needs no answer from the client. */
  webSearch(query: string): this {
    return this.#add({ type: "webSearch", query });
  }

  /** An item of any other kind, announced and completed at once. */
  item(item: OutputItem): this {
    return this.#add({ type: "item", item });
  }

  /** Any event, for what has no method here. */
  event(event: string, fields: Readonly<Record<string, unknown>> = {}): this {
    return this.#add({ type: "event", event, fields });
  }

  /** Text into the stream as it is: comments, broken events, half lines. */
  raw(text: string): this {
    return this.#add({ type: "raw", text });
  }

  /** Waits so many milliseconds at this place of the stream. For a test that must not depend on time, take `gate`. */
  delay(ms: number): this {
    return this.#add({ type: "wait", wait: ms });
  }

  /** Holds the stream at this place until the promise settles. What was said before has reached the client by then. */
  gate(until: PromiseLike<unknown>): this {
    return this.#add({ type: "wait", wait: until });
  }

  /** The tokens reported at the end. Default: 100 in, 10 out. */
  usage(usage: ReplyUsage): this {
    this.#usage = usage;
    return this;
  }

  /** HTTP headers of the answer. */
  headers(headers: Readonly<Record<string, string>>): this {
    Object.assign(this.#headers, headers);
    return this;
  }

  /** The headers from which Codex learns how much of its quota is used. */
  rateLimits(limits: RateLimits): this {
    return this.headers(rateLimitHeaders(limits));
  }

  /** Ends with `response.failed`, e.g. `context_length_exceeded`, `insufficient_quota`, `server_is_overloaded`. */
  failed(code: string, message: string): this {
    return this.#end({ type: "failed", code, message });
  }

  /** Ends with `response.incomplete`, e.g. `max_output_tokens` or `content_filter`. */
  incomplete(reason: string): this {
    return this.#end({ type: "incomplete", reason });
  }

  /** Destroys the socket at the end, as a broken network does. */
  cut(): this {
    return this.#end({ type: "cut" });
  }

  /** Ends the HTTP answer properly, but without the closing event. */
  truncate(): this {
    return this.#end({ type: "truncate" });
  }

  /** The HTTP headers of this reply. */
  get httpHeaders(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** The reply as data, to be played on another wire. */
  get script(): ReplyScript {
    return { steps: this.#steps, ending: this.#ending, usage: this.#usage };
  }

  /** Yields the stream of the Responses API. Plays from the beginning each time. */
  play(id: IdSource, model: string): Generator<Piece> {
    return playResponses(this.script, id, model);
  }

  #add(step: Step): this {
    this.#steps.push(step);
    return this;
  }

  #end(ending: Ending): this {
    this.#ending = ending;
    return this;
  }
}

/** Begins a {@link Reply}: `reply().reasoning(["Let me see"]).text("Done", { chunks: 3 })`. */
export function reply(): Reply {
  return new Reply();
}
