import type { Transport } from "@quire/jsonrpc";
import { type Direction, LaneTransport } from "./lane-transport.ts";

/** Options of {@link stalling}. */
export interface StallOptions {
  /** Direction that is blocked. Default `in`. */
  readonly direction?: Direction;
  /** Stalls by itself once so many messages have gone through. Without it, `stall()` does. */
  readonly after?: number;
}

/** A transport that can stop without ending, like a peer that hangs. */
export interface StallingTransport extends Transport {
  /** Stops delivery. Nothing is lost. */
  stall(): void;
  /** Delivers what has gathered, in order, and continues. */
  release(): void;
  /** Number of messages that have passed in the blocked direction. */
  readonly passed: number;
}

/** Wraps a transport so that it can be stopped and released. */
export function stalling(inner: Transport, options: StallOptions = {}): StallingTransport {
  return new Stalling(inner, options);
}

class Stalling extends LaneTransport implements StallingTransport {
  readonly #direction: Direction;
  readonly #after: number;
  passed = 0;

  constructor(inner: Transport, options: StallOptions) {
    super(inner);
    this.#direction = options.direction ?? "in";
    this.#after = options.after ?? Number.POSITIVE_INFINITY;
    if (this.#after <= 0) this.stall();
  }

  stall(): void {
    if (this.#direction !== "out") this.inLane.hold("stalled");
    if (this.#direction !== "in") this.outLane.hold("stalled");
  }

  release(): void {
    this.inLane.release("stalled");
    this.outLane.release("stalled");
  }

  override send(text: string): void {
    this.outLane.push(() => {
      this.inner.send(text);
      if (this.#direction !== "in") this.#count();
    }, text.length);
  }

  protected override incoming(text: string): void {
    this.inLane.push(() => {
      // Before the delivery, whose reaction may already belong to the other side of the stall.
      if (this.#direction !== "out") this.#count();
      this.deliver(text);
    }, text.length);
  }

  #count(): void {
    this.passed++;
    if (this.passed === this.#after) this.stall();
  }
}
