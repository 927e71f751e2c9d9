import type { Transport, TransportSink } from "@quire/jsonrpc";

/** A transport worked by hand: what the peer says arrives within the call, so that no time passes in between. */
export class ManualTransport implements Transport {
  readonly buffered = 0;
  readonly sent: string[] = [];
  #sink: TransportSink | undefined;

  start(sink: TransportSink): void {
    this.#sink = sink;
  }

  /** Delivers a line as if the peer had sent it. */
  arrive(text: string): void {
    this.#sink?.message(text);
  }

  /** Ends it as if the peer had. */
  end(): void {
    this.#sink?.closed();
  }

  send(text: string): void {
    this.sent.push(text);
  }

  drain(): Promise<void> {
    return Promise.resolve();
  }

  pause(): void {}
  resume(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }
}
