import type { ResponseItem } from "@quire/protocol";
import { QuietSink } from "../../model/quiet-sink.ts";

/** Collects the items of a response that is not shown. */
export class CollectingSink extends QuietSink {
  items: ResponseItem[] = [];

  override itemDone(item: ResponseItem): void {
    this.items.push(item);
  }

  override retrying(): void {
    this.items = [];
  }
}
