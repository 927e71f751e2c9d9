import type { ConnectionError, Transport, TransportSink } from "@quire/jsonrpc";

/**
 * A transport around another that changes nothing: the base of recorders and faults, which override what they need.
 * It takes the inner transport over; closing it closes the inner one.
 */
export class TransportWrapper implements Transport {
  protected readonly inner: Transport;
  #sink: TransportSink | undefined;
  #ended = false;

  constructor(inner: Transport) {
    this.inner = inner;
  }

  get buffered(): number {
    return this.inner.buffered;
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    this.inner.start({ message: (text) => this.incoming(text), closed: (error) => this.innerClosed(error) });
  }

  send(text: string): void {
    this.inner.send(text);
  }

  drain(): Promise<void> {
    return this.inner.drain();
  }

  pause(): void {
    this.inner.pause();
  }

  resume(): void {
    this.inner.resume();
  }

  close(): Promise<void> {
    return this.inner.close();
  }

  /** A message came from the inner transport. */
  protected incoming(text: string): void {
    this.deliver(text);
  }

  /** The inner transport has ended. */
  protected innerClosed(error: ConnectionError | undefined): void {
    this.end(error);
  }

  /** Hands a message to the owner of this transport, unless it has ended for them already. */
  protected deliver(text: string): void {
    if (!this.#ended) this.#sink?.message(text);
  }

  /** Tells the end, once. */
  protected end(error?: ConnectionError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#sink?.closed(error);
  }

  /** True once the end was reported. */
  protected get ended(): boolean {
    return this.#ended;
  }
}
