import type { ConnectionError, Transport } from "@quire/jsonrpc";
import { TransportWrapper } from "../lib/transport-wrapper.ts";
import { Lane } from "./lane.ts";

/** Direction of a fault: messages that arrive, messages that are sent, or both. */
export type Direction = "in" | "out" | "both";

/** A wrapper whose messages wait in lanes; `in` and `out` are seen from the side that holds the transport. */
export class LaneTransport extends TransportWrapper {
  protected readonly inLane: Lane = new Lane();
  protected readonly outLane: Lane = new Lane();
  readonly #delay: (direction: "in" | "out") => number;

  constructor(inner: Transport, delay: (direction: "in" | "out") => number = () => 0) {
    super(inner);
    this.#delay = delay;
  }

  override get buffered(): number {
    return this.inner.buffered + this.outLane.size;
  }

  override send(text: string): void {
    this.outLane.push(() => this.inner.send(text), text.length, this.#delay("out"));
  }

  override async drain(): Promise<void> {
    await this.outLane.empty();
    await this.inner.drain();
  }

  override pause(): void {
    this.inLane.hold("paused");
    this.inner.pause();
  }

  override resume(): void {
    this.inner.resume();
    this.inLane.release("paused");
  }

  /** Drops queued messages in both directions, as a program that gives up does. */
  override close(): Promise<void> {
    this.inLane.clear();
    this.outLane.clear();
    const closed = this.inner.close();
    this.end();
    return closed;
  }

  protected override incoming(text: string): void {
    this.inLane.push(() => this.deliver(text), text.length, this.#delay("in"));
  }

  /** The end keeps its place behind the last message. */
  protected override innerClosed(error: ConnectionError | undefined): void {
    this.outLane.clear();
    this.inLane.push(() => this.end(error));
  }
}
