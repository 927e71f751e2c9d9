import { asFields, asList, asText } from "../checks.ts";
import { encodeDeltas, functionCallOf, unplayable } from "../deltas.ts";
import type { Piece } from "../event-stream.ts";
import type { Call } from "../parts.ts";
import type { Ending, ReplyScript, ReplyUsage, Step } from "../steps.ts";
import type { PlayContext } from "../wire.ts";

interface Playing {
  readonly context: PlayContext;
  readonly signatures: Set<string>;
  /** The signature of reasoning that goes with the next call. */
  signature: string | undefined;
  calls: number;
}

/** Yields a reply as the Gemini API streams it. Calls come whole; the first of a reply has a signature. */
export function* playGemini(
  { steps, ending, usage }: ReplyScript,
  context: PlayContext,
  signatures: Set<string>,
): Generator<Piece> {
  const playing: Playing = { context, signatures, signature: undefined, calls: 0 };
  for (const step of steps) yield* playStep(playing, step);
  if (ending.type === "cut" || ending.type === "truncate") {
    yield { end: ending.type };
    return;
  }
  if (ending.type === "failed") {
    yield event({ error: { code: 503, message: ending.message, status: ending.code } });
    return;
  }
  yield event({
    ...candidate([{ text: "" }], finishReason(ending)),
    usageMetadata: encodeUsage(usage),
    modelVersion: context.model,
    responseId: context.id("resp"),
  });
}

const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;

const candidate = (parts: readonly object[], finishReason?: string) => ({
  candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason && { finishReason }) }],
});

function* playStep(playing: Playing, step: Step): Generator<Piece> {
  switch (step.type) {
    case "text": {
      const head = 'data: {"candidates":[{"content":{"role":"model","parts":[{"text":';
      return yield* encodeDeltas(
        step.text,
        step.options,
        (delta) => `${head}${JSON.stringify(delta)}}]},"index":0}]}\n\n`,
      );
    }
    case "reasoning":
      playing.signature = step.options.encrypted;
      return yield event(candidate([{ text: step.summary.join("\n\n"), thought: true }]));
    case "call":
      return yield event(candidate([callPart(playing, step.call)]));
    case "event":
      return yield event(step.fields);
    case "raw":
      return yield step.text;
    case "wait":
      return yield { wait: step.wait };
    default:
      throw unplayable(step, playing.context.sent);
  }
}

function callPart(playing: Playing, call: Call): object {
  const { id, sent } = playing.context;
  const declared = asList(sent.body.tools).flatMap(({ functionDeclarations }) => asList(functionDeclarations));
  const offered = declared.map((tool) => ({
    name: asText(tool.name),
    parameters: asFields(tool.parameters ?? tool.parametersJsonSchema),
  }));
  const { name, input } = functionCallOf(call, offered);
  const functionCall = { id: call.callId ?? id("call"), name, args: JSON.parse(input) };
  if (playing.calls++ > 0) return { functionCall };
  const thoughtSignature = playing.signature ?? id("thought");
  playing.signatures.add(thoughtSignature);
  return { functionCall, thoughtSignature };
}

function finishReason(ending: Ending): string {
  if (ending.type !== "incomplete") return "STOP";
  if (ending.reason === "max_output_tokens") return "MAX_TOKENS";
  return ending.reason === "content_filter" ? "SAFETY" : ending.reason;
}

function encodeUsage({ input = 0, cachedInput = 0, output = 0, reasoning = 0 }: ReplyUsage): object {
  return {
    promptTokenCount: input,
    cachedContentTokenCount: cachedInput,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + output,
  };
}
