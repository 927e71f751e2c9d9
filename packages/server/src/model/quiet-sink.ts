import type { RateLimitSnapshot, ResponseItem } from "@quire/protocol";
import type { ModelSink } from "./model-provider.ts";

/** A sink for a response that is not shown: only its complete items matter. */
export abstract class QuietSink implements ModelSink {
  abstract itemDone(item: ResponseItem): void;
  abstract retrying(): void;

  itemAdded(): void {}
  textDelta(): void {}
  reasoningSummaryPart(): void {}
  reasoningSummaryDelta(): void {}
  reasoningDelta(): void {}
  toolInputDelta(): void {}
  rateLimits(_snapshot: RateLimitSnapshot): void {}
  ready(): undefined {
    return undefined;
  }
}
