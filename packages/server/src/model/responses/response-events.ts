import type { ResponseItem } from "@quire/protocol";
import { parseJson } from "../../lib/bounded-json.ts";
import { disconnected, Failure, failureOfCode } from "../failure.ts";
import type { ModelResult, ModelSink } from "../model-provider.ts";
import { isSealed } from "../private-content.ts";
import { DeltaTemplate } from "./delta-template.ts";
import { isItem, isWholeItem } from "./response-item.ts";
import { safetyBuffering } from "./safety-buffering.ts";
import { usageBreakdown } from "./usage-breakdown.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Many of these come with each call, and most sinks do without: the completed item holds everything. */
const unreadPrefix = '{"type":"response.function_call_arguments.delta"';

/** Turns the events of one model response into calls of a sink, and notes how the response ended. */
export class ResponseEvents {
  readonly #sink: ModelSink;
  readonly #fasterModel: string | null;
  #template: DeltaTemplate | undefined;
  #templateItem = "";
  #announced = "";
  /** Completed items: a late event would begin one anew. */
  readonly #complete = new Set<string>();
  #events = 0;
  /** The end of the response; nothing is delivered after it. */
  outcome: ModelResult | Failure | undefined;

  /** @param fasterModel The alternative in the response's headers while an answer is held back. */
  constructor(sink: ModelSink, fasterModel: string | null = null) {
    this.#sink = sink;
    this.#fasterModel = fasterModel;
  }

  /** True when anything came that looks like an event. */
  get any(): boolean {
    return this.#events > 0;
  }

  /** Handles the data of one event. Skips anything but JSON objects of known types. */
  take(data: string): void {
    if (this.outcome !== undefined) return;
    const delta = this.#template?.read(data);
    if (delta !== undefined) {
      this.#sink.textDelta(this.#templateItem, delta);
      return;
    }
    if (this.#sink.argumentsDelta === undefined && data.startsWith(unreadPrefix)) return;
    const event = parse(data);
    if (event === undefined) return;
    this.#events++;
    this.#dispatch(event, data);
  }

  #dispatch(event: Fields, data: string): void {
    const sink = this.#sink;
    const buffering = safetyBuffering(event, this.#fasterModel);
    if (buffering) sink.notice?.(buffering);
    // Some endpoints leave it out: then the item is meant that was announced last.
    const itemId = text(event.item_id) || this.#announced;
    if (this.#complete.has(itemId) && event.delta !== undefined) return;
    const delta = text(event.delta);
    switch (event.type) {
      case "response.output_text.delta":
        // From the second on: an answer in one piece needs none.
        this.#template =
          event.item_id !== itemId || itemId !== this.#templateItem || buffering
            ? undefined
            : DeltaTemplate.of(data, event);
        this.#templateItem = itemId;
        sink.textDelta(itemId, delta);
        break;
      case "response.output_item.added":
        this.#announced = text(fields(event.item).id);
        this.#complete.delete(this.#announced);
        if (isItem(event.item)) sink.itemAdded(event.item);
        break;
      case "response.output_item.done":
        this.#done(event.item);
        break;
      case "response.reasoning_summary_part.added":
        sink.reasoningSummaryPart(itemId, index(event.summary_index));
        break;
      case "response.reasoning_summary_text.delta":
        sink.reasoningSummaryDelta(itemId, index(event.summary_index), delta);
        break;
      case "response.reasoning_text.delta":
        sink.reasoningDelta(itemId, index(event.content_index), delta);
        break;
      case "response.custom_tool_call_input.delta":
        sink.toolInputDelta(itemId, text(event.call_id) || null, delta);
        break;
      case "response.function_call_arguments.delta":
        sink.argumentsDelta?.(itemId, delta);
        break;
      case "response.metadata":
        this.#metadata(fields(event.metadata));
        break;
      default:
        this.outcome = ending(event);
    }
  }

  #done(received: unknown): void {
    this.#template = undefined;
    if (!isWholeItem(received)) return;
    const item = unforged(received);
    const id = "id" in item ? text(item.id) : "";
    if (id !== "") this.#complete.add(id);
    this.#sink.itemDone(item);
  }

  #metadata({
    openai_verification_recommendation: wanted,
    openai_chatgpt_moderation_metadata: metadata,
  }: Fields): void {
    if (Array.isArray(wanted) && wanted.includes("trusted_access_for_cyber"))
      this.#sink.notice?.({ kind: "verification" });
    if (metadata !== undefined && metadata !== null) this.#sink.notice?.({ kind: "moderation", metadata });
  }
}

/** An item without content that claims to be another provider's: that provider would get it, and trust it. */
function unforged(item: ResponseItem): ResponseItem {
  if (!("encrypted_content" in item) || !isSealed(item.encrypted_content)) return item;
  const { encrypted_content: _, ...rest } = item;
  return rest as ResponseItem;
}

function ending(event: Fields): ModelResult | Failure | undefined {
  const response = fields(event.response);
  switch (event.type) {
    case "response.completed":
    case "response.done":
      return completed(response);
    case "response.failed":
      return failed(response.error);
    case "response.incomplete":
      return incomplete(response);
    case "error":
      return failed(event.error ?? event);
    default:
      return undefined;
  }
}

function completed(response: Fields): ModelResult {
  return {
    responseId: text(response.id),
    usage: usageBreakdown(response.usage),
    endTurn: typeof response.end_turn === "boolean" ? response.end_turn : null,
  };
}

function failed(error: unknown): Failure {
  const { code, type, message } = fields(error);
  const said = text(message);
  if (said === "" && !code) return disconnected("the response failed without a reason");
  return failureOfCode(text(code) || text(type) || null, said || text(code)) ?? disconnected(said || text(code));
}

function incomplete(response: Fields): Failure {
  const { reason } = fields(response.incomplete_details);
  const message = `Incomplete response returned, reason: ${text(reason) || "unknown"}`;
  // Asked again, the model would reach the same limit; a filter may judge the next answer differently.
  return reason === "max_output_tokens"
    ? new Failure(message, "other", { result: completed(response) })
    : disconnected(message);
}

function parse(data: string): Fields | undefined {
  try {
    const value = parseJson(data);
    return typeof value === "object" && value !== null ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** More parts than any reasoning has; a sparse list of any sent length would fill the memory. */
const maxIndex = 999;

function index(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) ? Math.min(Math.max(value, 0), maxIndex) : 0;
}
