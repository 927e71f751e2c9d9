import type { EventStream, OutputItem, Piece } from "./event-stream.ts";
import { type Chunks, splitText } from "./split-text.ts";

/** Options of {@link Reply.text}. */
export interface TextOptions {
  /** Cut the text into so many deltas, never within a character. Default 1. Only for a text given as one string. */
  readonly chunks?: number;
  /** Wait so long between two deltas. */
  readonly delayMs?: number;
  /** Leave the message open, as when the stream is cut in the middle of it. */
  readonly unfinished?: boolean;
  /** `commentary` for what the model says on its way, `final_answer` for the end. Left out unless given. */
  readonly phase?: "commentary" | "final_answer";
}

/** Further fields of {@link Reply.reasoning}. */
export interface ReasoningOptions {
  /** Opaque content that the client has to send back with the next request. */
  readonly encrypted?: string;
  /** The raw reasoning, which only open models show. */
  readonly content?: readonly string[];
}

/** Further fields of a call. */
export interface CallOptions {
  /** The id under which the output comes back. Default: the next free `call_N`. */
  readonly callId?: string;
  /** For a tool that was offered within a namespace, such as those of an MCP server. */
  readonly namespace?: string;
  /** Cut the input into so many deltas. Default 1. */
  readonly chunks?: number;
  /** Wait so long between two deltas. */
  readonly delayMs?: number;
}

/** A tool call of either kind. */
export interface Call extends CallOptions {
  readonly type: "function_call" | "custom_tool_call";
  readonly name: string;
  readonly input: string;
}

/** An assistant message, delta by delta. */
export function* textPart(stream: EventStream, text: string | Chunks, options: TextOptions): Generator<Piece> {
  const id = stream.id("msg");
  const message = (content: readonly unknown[], status: string): OutputItem => ({
    type: "message",
    id,
    role: "assistant",
    ...(options.phase && { phase: options.phase }),
    status,
    content,
  });
  const place = { item_id: id, output_index: stream.outputIndex, content_index: 0 };
  const part = (full: string) => ({ type: "output_text", text: full, annotations: [] });

  yield stream.added(message([], "in_progress"));
  yield stream.encode("response.content_part.added", { ...place, part: part("") });
  const encode = stream.deltas("response.output_text.delta", place);
  const chunks = typeof text === "string" ? splitText(text, options.chunks ?? 1) : text;
  const sent: string[] = [];
  for (const chunk of chunks) {
    if (typeof chunk !== "string") {
      yield { wait: chunk };
      continue;
    }
    if (options.delayMs && sent.length > 0) yield { wait: options.delayMs };
    sent.push(chunk);
    yield encode(chunk);
  }
  if (options.unfinished) return;
  const full = sent.join("");
  yield stream.encode("response.output_text.done", { ...place, text: full });
  yield stream.encode("response.content_part.done", { ...place, part: part(full) });
  yield stream.done(message([part(full)], "completed"));
}

/** A reasoning item: summary parts first, raw content after them, as the API orders them. */
export function* reasoningPart(
  stream: EventStream,
  summary: readonly string[],
  options: ReasoningOptions,
): Generator<Piece> {
  const id = stream.id("rs");
  const place = { item_id: id, output_index: stream.outputIndex };
  yield stream.added({ type: "reasoning", id, summary: [] });
  for (const [index, text] of summary.entries()) {
    const at = { ...place, summary_index: index };
    yield stream.encode("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } });
    yield stream.encode("response.reasoning_summary_text.delta", { ...at, delta: text });
    yield stream.encode("response.reasoning_summary_text.done", { ...at, text });
    yield stream.encode("response.reasoning_summary_part.done", { ...at, part: { type: "summary_text", text } });
  }
  for (const [index, text] of (options.content ?? []).entries()) {
    const at = { ...place, content_index: index };
    yield stream.encode("response.reasoning_text.delta", { ...at, delta: text });
    yield stream.encode("response.reasoning_text.done", { ...at, text });
  }
  yield stream.done({
    type: "reasoning",
    id,
    summary: summary.map((text) => ({ type: "summary_text", text })),
    ...(options.content && { content: options.content.map((text) => ({ type: "reasoning_text", text })) }),
    encrypted_content: options.encrypted ?? null,
  });
}

/** A call of a function (arguments are JSON) or of a custom tool (input is free text). */
export function* callPart(stream: EventStream, call: Call): Generator<Piece> {
  const custom = call.type === "custom_tool_call";
  const id = stream.id(custom ? "ctc" : "fc");
  const callId = call.callId ?? stream.id("call");
  const field = custom ? "input" : "arguments";
  const item = (input: string, status: string): OutputItem => ({
    type: call.type,
    id,
    call_id: callId,
    name: call.name,
    ...(call.namespace && { namespace: call.namespace }),
    [field]: input,
    status,
  });
  const event = custom ? "response.custom_tool_call_input" : "response.function_call_arguments";
  const place = { item_id: id, output_index: stream.outputIndex };
  yield stream.added(item("", "in_progress"));
  for (const [index, delta] of [...splitText(call.input, call.chunks ?? 1)].entries()) {
    if (call.delayMs && index > 0) yield { wait: call.delayMs };
    yield stream.encode(`${event}.delta`, { ...place, call_id: callId, delta });
  }
  yield stream.encode(`${event}.done`, { ...place, [field]: call.input });
  yield stream.done(item(call.input, "completed"));
}

/** A web search that the model's host carried out by itself. */
export function* webSearchPart(stream: EventStream, query: string): Generator<Piece> {
  const id = stream.id("ws");
  const item = (status: string): OutputItem => ({
    type: "web_search_call",
    id,
    status,
    action: { type: "search", query },
  });
  const place = { item_id: id, output_index: stream.outputIndex };
  yield stream.added(item("in_progress"));
  yield stream.encode("response.web_search_call.in_progress", place);
  yield stream.encode("response.web_search_call.searching", place);
  yield stream.encode("response.web_search_call.completed", place);
  yield stream.done(item("completed"));
}
