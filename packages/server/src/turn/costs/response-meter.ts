import type { ResponseItem } from "@quire/protocol";
import { ForwardingSink } from "../../model/forwarding-sink.ts";
import type { ModelError, ModelSink } from "../../model/model-provider.ts";
import { tokensIn } from "./tokens-in.ts";

/** Receivers of a meter's news. */
interface MeterOptions {
  /** Called with the output's tokens when an attempt has ended without a word of its usage. */
  readonly lost: (outputTokens: number) => void;
  /** Called with the output's tokens so far, as it grows. */
  readonly grown: (outputTokens: number) => void;
}

/** Estimates the tokens of a response while it streams: attempts that are cut have been paid, and report no usage. */
export class ResponseMeter extends ForwardingSink {
  readonly #options: MeterOptions;
  readonly argumentsDelta?: (itemId: string, delta: string) => void;
  #hasBegun = false;
  /** Tokens of complete items, and of the pieces since. */
  #complete = 0;
  #pieces = 0;

  constructor(sink: ModelSink, options: MeterOptions) {
    super(sink);
    this.#options = options;
    if (!sink.argumentsDelta) return;
    this.argumentsDelta = (itemId, delta) => {
      this.#count(delta);
      sink.argumentsDelta?.(itemId, delta);
    };
  }

  /** Tells of an attempt that has ended without usage, if it has begun to answer. */
  end(): void {
    if (this.#hasBegun) this.#options.lost(this.#complete + this.#pieces);
    this.#hasBegun = false;
    this.#complete = 0;
    this.#pieces = 0;
  }

  override itemAdded(item: ResponseItem): void {
    this.#hasBegun = true;
    super.itemAdded(item);
  }

  override itemDone(item: ResponseItem): void {
    this.#hasBegun = true;
    this.#pieces = 0;
    this.#complete += tokensIn(JSON.stringify(item));
    super.itemDone(item);
    this.#options.grown(this.#complete);
  }

  override textDelta(itemId: string, delta: string): void {
    this.#count(delta);
    super.textDelta(itemId, delta);
  }

  override reasoningSummaryDelta(itemId: string, index: number, delta: string): void {
    this.#count(delta);
    super.reasoningSummaryDelta(itemId, index, delta);
  }

  override reasoningDelta(itemId: string, index: number, delta: string): void {
    this.#count(delta);
    super.reasoningDelta(itemId, index, delta);
  }

  override toolInputDelta(itemId: string, callId: string | null, delta: string): void {
    this.#count(delta);
    super.toolInputDelta(itemId, callId, delta);
  }

  override retrying(error: ModelError, attempt: number, attempts: number): void {
    this.end();
    super.retrying(error, attempt, attempts);
  }

  #count(delta: string): void {
    this.#hasBegun = true;
    this.#pieces += tokensIn(delta);
    this.#options.grown(this.#complete + this.#pieces);
  }
}
