import type { RateLimitSnapshot, ResponseItem } from "@quire/protocol";
import { QuietSink } from "../model/quiet-sink.ts";
import { textOf } from "../record/model-items.ts";

/** Collects the text of a response that is not shown. */
export class SummarySink extends QuietSink {
  readonly #limits: ((snapshot: RateLimitSnapshot) => void) | undefined;
  text = "";

  constructor(limits?: (snapshot: RateLimitSnapshot) => void) {
    super();
    this.#limits = limits;
  }

  override itemDone(item: ResponseItem): void {
    if (item.type === "message" && item.role === "assistant") this.text = textOf(item);
  }

  override retrying(): void {
    this.text = "";
  }

  override rateLimits(snapshot: RateLimitSnapshot): void {
    this.#limits?.(snapshot);
  }
}
