import { asFields, asList, asText } from "../checks.ts";
import { encodeDeltas, functionCallOf, unplayable } from "../deltas.ts";
import type { Piece } from "../event-stream.ts";
import type { Ending, ReplyScript, ReplyUsage, Step } from "../steps.ts";
import type { PlayContext } from "../wire.ts";

interface Playing {
  readonly context: PlayContext;
  /** Text of the reasoning that each signature stands for. */
  readonly signatures: Map<string, string>;
  index: number;
  calls: number;
}

/** Yields a reply as Anthropic's Messages API streams it. */
export function* playAnthropic(
  { steps, ending, usage }: ReplyScript,
  context: PlayContext,
  signatures: Map<string, string>,
): Generator<Piece> {
  const playing: Playing = { context, signatures, index: 0, calls: 0 };
  const counted = encodeUsage(usage);
  yield event("message_start", {
    message: {
      id: context.id("msg"),
      type: "message",
      role: "assistant",
      model: context.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...counted, output_tokens: 1 },
    },
  });
  yield event("ping", {});
  for (const step of steps) yield* playStep(playing, step);
  if (ending.type === "cut" || ending.type === "truncate") {
    yield { end: ending.type };
    return;
  }
  if (ending.type === "failed") {
    yield event("error", { error: { type: ending.code, message: ending.message } });
    return;
  }
  yield event("message_delta", {
    delta: { stop_reason: stopReason(ending, playing.calls), stop_sequence: null },
    usage: counted,
  });
  yield event("message_stop", {});
}

const event = (type: string, fields: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

function* playStep(playing: Playing, step: Step): Generator<Piece> {
  switch (step.type) {
    case "text": {
      const encode = deltaEncoder(playing.index, "text_delta", "text");
      const pieces = encodeDeltas(step.text, step.options, encode);
      return yield* block(playing, { type: "text", text: "" }, pieces, step.options.unfinished);
    }
    case "reasoning":
      return yield* playReasoning(playing, step.summary.join("\n\n"), step.options.encrypted);
    case "call": {
      const { name, input } = functionCallOf(step.call, offered(playing.context));
      const encode = deltaEncoder(playing.index, "input_json_delta", "partial_json");
      const start = { type: "tool_use", id: step.call.callId ?? playing.context.id("toolu"), name, input: {} };
      playing.calls++;
      return yield* block(playing, start, encodeDeltas(input, step.call, encode));
    }
    case "event":
      return yield event(step.event, step.fields);
    case "raw":
      return yield step.text;
    case "wait":
      return yield { wait: step.wait };
    default:
      throw unplayable(step, playing.context.sent);
  }
}

/** Reasoning without text is redacted. */
function* playReasoning(playing: Playing, text: string, encrypted: string | undefined): Generator<Piece> {
  if (text === "") {
    const data = encrypted ?? "redacted";
    playing.signatures.set(data, "");
    return yield* block(playing, { type: "redacted_thinking", data }, []);
  }
  const signature = encrypted ?? playing.context.id("signature");
  playing.signatures.set(signature, text);
  const { index } = playing;
  yield* block(playing, { type: "thinking", thinking: "", signature: "" }, [
    deltaEncoder(index, "thinking_delta", "thinking")(text),
    deltaEncoder(index, "signature_delta", "signature")(signature),
  ]);
}

function* block(playing: Playing, start: object, pieces: Iterable<Piece>, isOpen = false): Generator<Piece> {
  const index = playing.index++;
  yield event("content_block_start", { index, content_block: start });
  yield* pieces;
  if (!isOpen) yield event("content_block_stop", { index });
}

/** Only the delta is made text each time. */
function deltaEncoder(index: number, type: string, field: string): (delta: string) => string {
  const head = `event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},"delta":{"type":"${type}","${field}":`;
  return (delta) => `${head}${JSON.stringify(delta)}}}\n\n`;
}

function offered({ sent }: PlayContext) {
  return asList(sent.body.tools).map((tool) => ({ name: asText(tool.name), parameters: asFields(tool.input_schema) }));
}

function stopReason(ending: Ending, calls: number): string {
  if (ending.type !== "incomplete") return calls > 0 ? "tool_use" : "end_turn";
  if (ending.reason === "max_output_tokens") return "max_tokens";
  return ending.reason === "content_filter" ? "refusal" : ending.reason;
}

function encodeUsage({ input = 0, cachedInput = 0, output = 0 }: ReplyUsage): object {
  return {
    input_tokens: input - cachedInput,
    cache_read_input_tokens: cachedInput,
    cache_creation_input_tokens: 0,
    output_tokens: output,
  };
}
