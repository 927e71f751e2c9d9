import type { ResponseItem } from "@quire/protocol";
import { ForwardingSink } from "../forwarding-sink.ts";
import type { ModelError, ModelSink } from "../model-provider.ts";
import type { OpenCall, PlainTools } from "./plain-tools.ts";

/** Options of {@link PlainSink}. */
interface PlainSinkOptions {
  readonly tools: PlainTools;
  /** Called when the endpoint has begun to answer. */
  readonly begun: () => void;
}

/** Passes a response on with its calls under the tools' own names. */
export class PlainSink extends ForwardingSink {
  readonly #tools: PlainTools;
  #begun: (() => void) | undefined;
  readonly #open = new Map<string, { readonly call: OpenCall; readonly callId: string }>();

  constructor(sink: ModelSink, { tools, begun }: PlainSinkOptions) {
    super(sink);
    this.#tools = tools;
    this.#begun = begun;
  }

  override itemAdded(item: ResponseItem): void {
    this.#answers();
    if (item.type !== "function_call" || typeof item.name !== "string") {
      super.itemAdded(item);
      return;
    }
    const callId = item.call_id ?? "";
    const call = this.#tools.open({ ...(item.id && { id: item.id }), callId, name: item.name });
    this.#open.set(item.id ?? "", { call, callId });
    super.itemAdded(call.item);
  }

  override itemDone(item: ResponseItem): void {
    this.#answers();
    if (item.type !== "function_call") {
      super.itemDone(item);
      return;
    }
    this.#open.delete(item.id ?? "");
    const { id, call_id: callId, name, arguments: args } = item;
    super.itemDone(this.#tools.itemOf({ ...(id && { id }), callId, name, arguments: args }));
  }

  argumentsDelta(itemId: string, delta: string): void {
    const open = this.#open.get(itemId);
    const text = open?.call.delta(delta) ?? "";
    if (open && text !== "") super.toolInputDelta(itemId, open.callId, text);
  }

  override textDelta(itemId: string, delta: string): void {
    this.#answers();
    super.textDelta(itemId, delta);
  }

  override reasoningDelta(itemId: string, index: number, delta: string): void {
    this.#answers();
    super.reasoningDelta(itemId, index, delta);
  }

  override retrying(error: ModelError, attempt: number, attempts: number): void {
    this.#open.clear();
    super.retrying(error, attempt, attempts);
  }

  #answers(): void {
    this.#begun?.();
    this.#begun = undefined;
  }
}
