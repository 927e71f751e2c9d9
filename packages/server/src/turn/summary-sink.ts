import type { RateLimitSnapshot, ResponseItem } from "@quire/protocol";
import type { EndpointNotice } from "../model/model-provider.ts";
import { QuietSink } from "../model/quiet-sink.ts";
import { textOf } from "../record/model-items.ts";

/** Receivers of what comes beside a summary. */
interface SummaryNews {
  readonly limits?: (snapshot: RateLimitSnapshot) => void;
  readonly notice?: (notice: EndpointNotice) => void;
}

/** Collects the text of a response that is not shown. */
export class SummarySink extends QuietSink {
  readonly #news: SummaryNews;
  text = "";

  constructor(news: SummaryNews = {}) {
    super();
    this.#news = news;
  }

  notice(notice: EndpointNotice): void {
    this.#news.notice?.(notice);
  }

  override itemDone(item: ResponseItem): void {
    if (item.type === "message" && item.role === "assistant") this.text = textOf(item);
  }

  override retrying(): void {
    this.text = "";
  }

  override rateLimits(snapshot: RateLimitSnapshot): void {
    this.#news.limits?.(snapshot);
  }
}
