import { asFields, asList, asText } from "../checks.ts";
import { encodeDeltas, functionCallOf, type OfferedFunction, unplayable } from "../deltas.ts";
import type { Piece } from "../event-stream.ts";
import type { Call } from "../parts.ts";
import type { Ending, ReplyScript, ReplyUsage, Step } from "../steps.ts";
import type { PlayContext, SentRequest } from "../wire.ts";

/** Encodes the chunks of one chat completion. */
class ChatStream {
  readonly #rest: string;
  readonly #shape: { readonly id: string; readonly object: string; readonly created: number; readonly model: string };
  calls = 0;

  constructor({ id, model }: PlayContext) {
    this.#shape = { id: id("chatcmpl"), object: "chat.completion.chunk", created: 0, model };
    this.#rest = JSON.stringify(this.#shape).slice(1, -1);
  }

  chunk(delta: object, finish: string | null = null): string {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
    return `data: ${JSON.stringify({ ...this.#shape, choices })}\n\n`;
  }

  /** A delta of one text field, made text without the rest of the chunk. */
  textDelta(field: "content" | "reasoning_content"): (delta: string) => string {
    const head = `data: {${this.#rest},"choices":[{"index":0,"delta":{"${field}":`;
    return (delta) => `${head}${JSON.stringify(delta)}},"logprobs":null,"finish_reason":null}]}\n\n`;
  }

  usage(usage: ReplyUsage): string {
    return `data: ${JSON.stringify({ ...this.#shape, choices: [], usage: encodeUsage(usage) })}\n\n`;
  }
}

/** Yields a reply as the Chat Completions API streams it. */
export function* playChat({ steps, ending, usage }: ReplyScript, context: PlayContext): Generator<Piece> {
  const { sent } = context;
  const stream = new ChatStream(context);
  yield stream.chunk({ role: "assistant", content: "" });
  for (const step of steps) yield* playStep(stream, step, context);
  if (ending.type === "cut" || ending.type === "truncate") {
    yield { end: ending.type };
    return;
  }
  if (ending.type === "failed") {
    yield `data: ${JSON.stringify({ error: { message: ending.message, type: "server_error", code: ending.code } })}\n\n`;
    return;
  }
  yield stream.chunk({}, finishReason(ending, stream.calls));
  if (asFields(sent.body.stream_options).include_usage === true) yield stream.usage(usage);
  yield "data: [DONE]\n\n";
}

function* playStep(stream: ChatStream, step: Step, context: PlayContext): Generator<Piece> {
  switch (step.type) {
    case "text":
      return yield* encodeDeltas(step.text, step.options, stream.textDelta("content"));
    case "reasoning":
      return yield* encodeDeltas(
        [...step.summary, ...(step.options.content ?? [])],
        {},
        stream.textDelta("reasoning_content"),
      );
    case "call":
      return yield* playCall(stream, step.call, context);
    case "event":
      return yield `data: ${JSON.stringify(step.fields)}\n\n`;
    case "raw":
      return yield step.text;
    case "wait":
      return yield { wait: step.wait };
    default:
      throw unplayable(step, context.sent);
  }
}

function* playCall(stream: ChatStream, call: Call, { id, sent }: PlayContext): Generator<Piece> {
  const index = stream.calls++;
  const { name, input } = functionCallOf(call, offered(sent));
  const callId = call.callId ?? id("call");
  yield stream.chunk({ tool_calls: [{ index, id: callId, type: "function", function: { name, arguments: "" } }] });
  yield* encodeDeltas(input, call, (delta) =>
    stream.chunk({ tool_calls: [{ index, function: { arguments: delta } }] }),
  );
}

function offered({ body }: SentRequest): OfferedFunction[] {
  return asList(body.tools).map((tool) => {
    const { name, parameters } = asFields(tool.function);
    return { name: asText(name), parameters: asFields(parameters) };
  });
}

function finishReason(ending: Ending, calls: number): string {
  if (ending.type === "incomplete") return ending.reason === "max_output_tokens" ? "length" : ending.reason;
  return calls > 0 ? "tool_calls" : "stop";
}

function encodeUsage({ input = 0, cachedInput = 0, output = 0, reasoning = 0 }: ReplyUsage): object {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cachedInput },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
