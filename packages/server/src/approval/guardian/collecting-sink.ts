import type { ResponseItem } from "@quire/protocol";
import type { ModelSink } from "../../model/model-provider.ts";

/** Collects the items of a response that nobody is shown. */
export class CollectingSink implements ModelSink {
  items: ResponseItem[] = [];

  itemDone(item: ResponseItem): void {
    this.items.push(item);
  }

  retrying(): void {
    this.items = [];
  }

  itemAdded(): void {}
  textDelta(): void {}
  reasoningSummaryPart(): void {}
  reasoningSummaryDelta(): void {}
  reasoningDelta(): void {}
  toolInputDelta(): void {}
  rateLimits(): void {}
  ready(): undefined {
    return undefined;
  }
}
