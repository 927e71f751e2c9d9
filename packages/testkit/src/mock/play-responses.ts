import { EventStream, type IdSource, type Piece } from "./event-stream.ts";
import { callPart, reasoningPart, textPart, webSearchPart } from "./parts.ts";
import type { Ending, ReplyScript, ReplyUsage, Step } from "./steps.ts";

/** Yields a reply as the Responses API streams it, from `response.created` to its end. */
export function* playResponses({ steps, ending, usage }: ReplyScript, id: IdSource, model: string): Generator<Piece> {
  const stream = new EventStream(id);
  const response = { id: id("resp"), object: "response", created_at: 0, model };
  yield stream.encode("response.created", { response: { ...response, status: "in_progress", output: [] } });
  yield stream.encode("response.in_progress", { response: { ...response, status: "in_progress", output: [] } });
  for (const step of steps) yield* playStep(stream, step);
  yield playEnding(stream, ending, { ...response, usage: encodeUsage(usage) });
}

function playStep(stream: EventStream, step: Step): Iterable<Piece> {
  switch (step.type) {
    case "text":
      return textPart(stream, step.text, step.options);
    case "reasoning":
      return reasoningPart(stream, step.summary, step.options);
    case "call":
      return callPart(stream, step.call);
    case "webSearch":
      return webSearchPart(stream, step.query);
    case "item":
      return [stream.added(step.item), stream.done(step.item)];
    case "event":
      return [stream.encode(step.event, step.fields)];
    case "raw":
      return [step.text];
    case "wait":
      return [{ wait: step.wait }];
  }
}

function playEnding(stream: EventStream, ending: Ending, response: Readonly<Record<string, unknown>>): Piece {
  switch (ending.type) {
    case "completed":
      return stream.encode("response.completed", {
        response: { ...response, status: "completed", output: stream.output },
      });
    case "failed":
      return stream.encode("response.failed", {
        response: { ...response, status: "failed", error: { code: ending.code, message: ending.message } },
      });
    case "incomplete":
      return stream.encode("response.incomplete", {
        response: {
          ...response,
          status: "incomplete",
          incomplete_details: { reason: ending.reason },
          output: stream.output,
        },
      });
    default:
      return { end: ending.type };
  }
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
