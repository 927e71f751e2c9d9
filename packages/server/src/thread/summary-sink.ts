import type { RateLimitSnapshot, ResponseItem } from "@quire/protocol";
import type { ModelSink } from "../model/model-provider.ts";
import { textOf } from "./model-items.ts";

/** Collects the words of a response that nobody is shown. */
export class SummarySink implements ModelSink {
  readonly #limits: ((snapshot: RateLimitSnapshot) => void) | undefined;
  text = "";

  /** @param limits Hears of rate limits. */
  constructor(limits?: (snapshot: RateLimitSnapshot) => void) {
    this.#limits = limits;
  }

  itemDone(item: ResponseItem): void {
    if (item.type === "message" && item.role === "assistant") this.text = textOf(item);
  }

  rateLimits(snapshot: RateLimitSnapshot): void {
    this.#limits?.(snapshot);
  }

  itemAdded(): void {}
  textDelta(): void {}
  reasoningSummaryPart(): void {}
  reasoningSummaryDelta(): void {}
  reasoningDelta(): void {}
  toolInputDelta(): void {}
  retrying(): void {
    this.text = "";
  }
  ready(): undefined {
    return undefined;
  }
}
