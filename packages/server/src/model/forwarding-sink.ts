import type { RateLimitSnapshot, ResponseItem } from "@quire/protocol";
import type { EndpointNotice, ModelError, ModelSink } from "./model-provider.ts";

/** Passes a response on. Subclasses change what they have to. */
export class ForwardingSink implements ModelSink {
  protected readonly sink: ModelSink;

  constructor(sink: ModelSink) {
    this.sink = sink;
  }

  itemAdded(item: ResponseItem): void {
    this.sink.itemAdded(item);
  }

  itemDone(item: ResponseItem): void {
    this.sink.itemDone(item);
  }

  textDelta(itemId: string, delta: string): void {
    this.sink.textDelta(itemId, delta);
  }

  reasoningSummaryPart(itemId: string, index: number): void {
    this.sink.reasoningSummaryPart(itemId, index);
  }

  reasoningSummaryDelta(itemId: string, index: number, delta: string): void {
    this.sink.reasoningSummaryDelta(itemId, index, delta);
  }

  reasoningDelta(itemId: string, index: number, delta: string): void {
    this.sink.reasoningDelta(itemId, index, delta);
  }

  toolInputDelta(itemId: string, callId: string | null, delta: string): void {
    this.sink.toolInputDelta(itemId, callId, delta);
  }

  rateLimits(snapshot: RateLimitSnapshot): void {
    this.sink.rateLimits(snapshot);
  }

  notice(notice: EndpointNotice): void {
    this.sink.notice?.(notice);
  }

  retrying(error: ModelError, attempt: number, attempts: number): void {
    this.sink.retrying(error, attempt, attempts);
  }

  ready(): Promise<void> | undefined {
    return this.sink.ready();
  }
}
