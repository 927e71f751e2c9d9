import type { LanguageModelV4StreamPart, LanguageModelV4ToolCall, SharedV4ProviderMetadata } from "@ai-sdk/provider";
import type { ResponseItem } from "@quire/protocol";
import { disconnected, Failure } from "../failure.ts";
import type { ModelResult, ModelSink } from "../model-provider.ts";
import type { OpenCall, PlainTools } from "../plain/plain-tools.ts";
import { sealed } from "../private-content.ts";
import { freshId } from "./call-ids.ts";
import { answerTool } from "./call-options.ts";
import { streamFailure } from "./sdk-failure.ts";
import { sdkUsage } from "./sdk-usage.ts";

/** Context of a response's parts. */
export interface PartContext {
  readonly provider: string;
  readonly tools: PlainTools;
  /** True where reasoning comes as a summary for people; elsewhere it is the model's raw reasoning. */
  readonly summarizes: boolean;
  /** Ids of the calls in the history: some providers count calls anew in each response. */
  readonly usedIds: ReadonlySet<string>;
}

/** A message, or reasoning, that streams. */
interface OpenText {
  readonly kind: "text" | "reasoning";
  readonly id: string;
  announced: boolean;
  text: string;
  metadata: SharedV4ProviderMetadata | undefined;
}

/** A call that streams. */
interface StreamedCall {
  readonly id: string;
  readonly callId: string;
  readonly call: OpenCall;
}

/** Turns the parts of one response of the AI SDK into calls of a sink, and notes how the response ended. */
export class PartEvents {
  readonly #sink: ModelSink;
  readonly #context: PartContext;
  readonly #texts = new Map<string, OpenText>();
  readonly #calls = new Map<string, StreamedCall>();
  readonly #ids = new Set<string>();
  #last: OpenText | undefined;
  #lastId = "";
  #responseId = "";
  /** The end of the response; nothing is delivered after it. */
  outcome: ModelResult | Failure | undefined;

  constructor(sink: ModelSink, context: PartContext) {
    this.#sink = sink;
    this.#context = context;
  }

  /** Handles one part. Skips what only the provider's own tools send. */
  take(part: LanguageModelV4StreamPart): void {
    if (this.outcome !== undefined) return;
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#start(part.id, part.type === "text-start" ? "text" : "reasoning", part.providerMetadata);
        return;
      case "text-delta":
      case "reasoning-delta":
        this.#delta(part);
        return;
      case "text-end":
      case "reasoning-end":
        this.#end(part.id, part.providerMetadata);
        return;
      case "tool-input-start":
        if (!part.providerExecuted && part.toolName !== answerTool) this.#openCall(part.id, part.toolName);
        return;
      case "tool-input-delta":
        this.#inputDelta(part.id, part.delta);
        return;
      case "tool-call":
        if (part.toolName === answerTool) this.#complete({ ...newText("text", undefined), text: part.input });
        else if (!part.providerExecuted) this.#call(part);
        return;
      case "response-metadata":
        this.#responseId = part.id ?? this.#responseId;
        return;
      case "error":
        this.outcome = streamFailure(part.error);
        return;
      case "finish":
        this.#finish(part);
    }
  }

  #start(id: string, kind: OpenText["kind"], metadata: SharedV4ProviderMetadata | undefined): OpenText {
    const open = newText(kind, metadata);
    this.#texts.set(key(kind, id), open);
    return open;
  }

  #delta(part: Extract<LanguageModelV4StreamPart, { type: "text-delta" | "reasoning-delta" }>): void {
    const kind = part.type === "text-delta" ? "text" : "reasoning";
    const { id, delta, providerMetadata } = part;
    // Deltas come in runs of the same text: most need no lookup.
    const isSame = this.#last?.kind === kind && this.#lastId === id;
    const open = (isSame ? this.#last : this.#texts.get(key(kind, id))) ?? this.#start(id, kind, undefined);
    this.#last = open;
    this.#lastId = id;
    if (providerMetadata) open.metadata = merged(open.metadata, providerMetadata);
    if (delta === "") return;
    this.#announce(open);
    open.text += delta;
    if (kind === "text") this.#sink.textDelta(open.id, delta);
    else if (this.#context.summarizes) this.#sink.reasoningSummaryDelta(open.id, 0, delta);
    else this.#sink.reasoningDelta(open.id, 0, delta);
  }

  #announce(open: OpenText): void {
    if (open.announced) return;
    open.announced = true;
    const { id } = open;
    if (open.kind === "text") {
      this.#sink.itemAdded({ type: "message", id, role: "assistant", content: [] });
      return;
    }
    this.#sink.itemAdded({ type: "reasoning", id, summary: [] });
    if (this.#context.summarizes) this.#sink.reasoningSummaryPart(id, 0);
  }

  #end(id: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const at = [key("text", id), key("reasoning", id)].find((name) => this.#texts.has(name)) ?? "";
    const open = this.#texts.get(at);
    if (!open) return;
    this.#texts.delete(at);
    this.#last = undefined;
    open.metadata = merged(open.metadata, metadata);
    this.#complete(open);
  }

  #complete(open: OpenText): void {
    // Redacted reasoning has no text, but goes back to the provider.
    if (open.text === "" && open.metadata === undefined) return;
    this.#announce(open);
    this.#sink.itemDone(open.kind === "text" ? this.#message(open) : this.#reasoning(open));
  }

  #message({ id, text, metadata }: OpenText): ResponseItem {
    const secret = metadata && { encrypted_content: sealed(this.#context.provider, metadata) };
    return { type: "message", id, role: "assistant", content: [{ type: "output_text", text }], ...secret };
  }

  #reasoning({ id, text, metadata }: OpenText): ResponseItem {
    const { provider, summarizes } = this.#context;
    const shown = text === "" ? [] : [text];
    return {
      type: "reasoning",
      id,
      summary: summarizes ? shown.map((text) => ({ type: "summary_text", text })) : [],
      ...(!summarizes && { content: shown.map((text) => ({ type: "reasoning_text", text })) }),
      encrypted_content: sealed(provider, metadata),
    };
  }

  #openCall(providerId: string, name: string): StreamedCall {
    this.#endTexts();
    const callId = this.#freshId(providerId);
    const id = `fc_${Bun.randomUUIDv7()}`;
    const streamed: StreamedCall = { id, callId, call: this.#context.tools.open({ id, callId, name }) };
    this.#calls.set(providerId, streamed);
    this.#sink.itemAdded(streamed.call.item);
    return streamed;
  }

  /** Some packages end a text only with the response: in the history, it has to stand before the call that came after it. */
  #endTexts(): void {
    for (const [at, open] of this.#texts) {
      if (open.kind !== "text") continue;
      this.#texts.delete(at);
      if (this.#last === open) this.#last = undefined;
      this.#complete(open);
    }
  }

  #inputDelta(providerId: string, delta: string): void {
    const streamed = this.#calls.get(providerId);
    const text = streamed?.call.delta(delta) ?? "";
    if (streamed && text !== "") this.#sink.toolInputDelta(streamed.id, streamed.callId, text);
  }

  #call({ toolCallId, toolName, input, providerMetadata }: LanguageModelV4ToolCall): void {
    const streamed = this.#calls.get(toolCallId) ?? this.#openCall(toolCallId, toolName);
    this.#calls.delete(toolCallId);
    const item = streamed.call.end(input);
    const secret = providerMetadata && { encrypted_content: sealed(this.#context.provider, providerMetadata) };
    this.#sink.itemDone({ ...item, ...secret });
  }

  #freshId(given: string): string {
    const isUsed = given === "" || this.#context.usedIds.has(given) || this.#ids.has(given);
    const id = isUsed ? freshId() : given;
    this.#ids.add(id);
    return id;
  }

  #finish({ finishReason, usage }: Extract<LanguageModelV4StreamPart, { type: "finish" }>): void {
    const result: ModelResult = { responseId: this.#responseId, usage: sdkUsage(usage), endTurn: null };
    const { unified, raw } = finishReason;
    // Without a reason the provider gave none: its stream broke off.
    if (raw === undefined && (unified === "other" || unified === "interrupted")) return;
    for (const open of this.#texts.values()) this.#complete(open);
    this.#texts.clear();
    if (unified === "length") this.outcome = incomplete("max_output_tokens", result);
    else if (unified === "content-filter") this.outcome = incomplete(raw ?? "content_filter", result);
    else if (unified === "error") this.outcome = disconnected(`the provider ended it with an error (${raw})`);
    else this.outcome = result;
  }
}

/** Ids of a response repeat in the next one; items need their own. */
function newText(kind: OpenText["kind"], metadata: SharedV4ProviderMetadata | undefined): OpenText {
  const prefix = kind === "text" ? "msg" : "rs";
  return { kind, id: `${prefix}_${Bun.randomUUIDv7()}`, announced: false, text: "", metadata };
}

const key = (kind: OpenText["kind"], id: string): string => `${kind} ${id}`;

function merged(
  base: SharedV4ProviderMetadata | undefined,
  over: SharedV4ProviderMetadata | undefined,
): SharedV4ProviderMetadata | undefined {
  if (!base || !over) return over ?? base;
  const names = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...names].map((name) => [name, { ...base[name], ...over[name] }]));
}

/** Asked again, the model would reach the same limit, or say the same to the same filter. */
function incomplete(reason: string, result: ModelResult): Failure {
  return new Failure(`Incomplete response returned, reason: ${reason}`, "other", { result });
}
