import { EventStream, type IdSource, type OutputItem, type Piece } from "./event-stream.ts";
import {
  type CallOptions,
  callPart,
  type ReasoningOptions,
  reasoningPart,
  type TextOptions,
  textPart,
  webSearchPart,
} from "./parts.ts";
import { type RateLimits, rateLimitHeaders } from "./rate-limits.ts";
import type { Chunks } from "./split-text.ts";

/** Tokens of one model response. The total is their sum. */
export interface ReplyUsage {
  readonly input?: number;
  /** Part of `input`. */
  readonly cachedInput?: number;
  readonly output?: number;
  /** Part of `output`. */
  readonly reasoning?: number;
}

type Part = (stream: EventStream) => Iterable<Piece>;
type Ending = (stream: EventStream, response: Readonly<Record<string, unknown>>) => Piece;

const completed: Ending = (stream, response) =>
  stream.encode("response.completed", { response: { ...response, status: "completed", output: stream.output } });

/**
 * A response of the model, built in the order in which it is streamed. Reusable: each use gets ids of its own. Made by
 * {@link reply}.
 */
export class Reply {
  readonly #parts: Part[] = [];
  readonly #headers: Record<string, string> = {};
  #usage: ReplyUsage = { input: 100, output: 10 };
  #ending: Ending = completed;

  /** An assistant message. Given as chunks, each is one delta, and a promise among them holds the stream. */
  text(text: string | Chunks, options: TextOptions = {}): this {
    return this.#add((stream) => textPart(stream, text, options));
  }

  /** A reasoning item with its summary, one string for each part. */
  reasoning(summary: readonly string[], options: ReasoningOptions = {}): this {
    return this.#add((stream) => reasoningPart(stream, summary, options));
  }

  /** A function call. Several in one reply are parallel calls. A string is sent as it is, even if it is no JSON. */
  functionCall(name: string, args: object | string, options: CallOptions = {}): this {
    const input = typeof args === "string" ? args : JSON.stringify(args);
    return this.#add((stream) => callPart(stream, { type: "function_call", name, input, ...options }));
  }

  /** A call of a freeform tool such as `apply_patch`. */
  customToolCall(name: string, input: string, options: CallOptions = {}): this {
    return this.#add((stream) => callPart(stream, { type: "custom_tool_call", name, input, ...options }));
  }

  /** A web search that needs no answer from the client. */
  webSearch(query: string): this {
    return this.#add((stream) => webSearchPart(stream, query));
  }

  /** An item of any other kind, announced and completed at once. */
  item(item: OutputItem): this {
    return this.#add((stream) => [stream.added(item), stream.done(item)]);
  }

  /** Any event, for what has no method here. */
  event(type: string, fields: Readonly<Record<string, unknown>> = {}): this {
    return this.#add((stream) => [stream.encode(type, fields)]);
  }

  /** Text into the stream as it is: comments, broken events, half lines. */
  raw(text: string): this {
    return this.#add(() => [text]);
  }

  /** Waits so many milliseconds at this place of the stream. For a test that must not depend on time, take `gate`. */
  delay(ms: number): this {
    return this.#add(() => [{ wait: ms }]);
  }

  /** Holds the stream at this place until the promise settles. What was said before has reached the client by then. */
  gate(until: PromiseLike<unknown>): this {
    return this.#add(() => [{ wait: until }]);
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
    return this.#end((stream, response) =>
      stream.encode("response.failed", { response: { ...response, status: "failed", error: { code, message } } }),
    );
  }

  /** Ends with `response.incomplete`, e.g. `max_output_tokens` or `content_filter`. */
  incomplete(reason: string): this {
    return this.#end((stream, response) =>
      stream.encode("response.incomplete", {
        response: { ...response, status: "incomplete", incomplete_details: { reason }, output: stream.output },
      }),
    );
  }

  /** Destroys the socket at the end, as a broken network does. */
  cut(): this {
    return this.#end(() => ({ end: "cut" }));
  }

  /** Ends the HTTP answer properly, but without the closing event. */
  truncate(): this {
    return this.#end(() => ({ end: "truncate" }));
  }

  /** The HTTP headers, for whoever plays this reply. */
  get httpHeaders(): Readonly<Record<string, string>> {
    return this.#headers;
  }

  /** Yields the stream from `response.created` to its end. Plays from the beginning each time. */
  *play(id: IdSource, model: string): Generator<Piece> {
    const stream = new EventStream(id);
    const response = { id: id("resp"), object: "response", model };
    yield stream.encode("response.created", { response: { ...response, status: "in_progress", output: [] } });
    yield stream.encode("response.in_progress", { response: { ...response, status: "in_progress", output: [] } });
    for (const part of this.#parts) yield* part(stream);
    yield this.#ending(stream, { ...response, usage: encodeUsage(this.#usage) });
  }

  #add(part: Part): this {
    this.#parts.push(part);
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

function encodeUsage({ input = 0, cachedInput = 0, output = 0, reasoning = 0 }: ReplyUsage): object {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
