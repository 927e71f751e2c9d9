import type { ConnectionError } from "../message/errors.ts";
import { macrotask } from "../transport/macrotask.ts";
import { highWaterMark, type Transport, type TransportSink } from "../transport/transport.ts";

/**
 * Two transports joined in memory: what one sends, the other delivers.
 *
 * Messages travel as text, so neither side can reach into the other's objects; they arrive in order, never within the
 * call that sent them, and in batches that let timers and I/O run in between. Closing one side ends the other.
 */
export function memoryPair(): [Transport, Transport] {
  const left = new MemoryTransport();
  const right = new MemoryTransport();
  left.peer = right;
  right.peer = left;
  return [left, right];
}

class MemoryTransport implements Transport {
  peer!: MemoryTransport;
  #sink: TransportSink | undefined;
  /** Messages to deliver, of which `#at` have been. */
  #inbox: string[] = [];
  #at = 0;
  #inboxSize = 0;
  #scheduled = false;
  #paused = false;
  #ended = false;
  #endPending = false;
  #drained: (() => void)[] = [];

  get buffered(): number {
    return this.peer.#inboxSize;
  }

  start(sink: TransportSink): void {
    this.#sink = sink;
    this.#schedule();
  }

  send(text: string): void {
    if (this.#ended || this.peer.#ended) return;
    this.peer.#inbox.push(text);
    this.peer.#inboxSize += text.length;
    this.peer.#schedule();
  }

  drain(): Promise<void> {
    if (this.#ended || this.buffered < highWaterMark) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#schedule();
  }

  close(): Promise<void> {
    if (!this.#ended) {
      this.peer.#endPending = true;
      this.peer.#schedule();
      this.#end();
    }
    return Promise.resolve();
  }

  #schedule(): void {
    if (this.#scheduled || this.#paused || this.#ended || !this.#sink) return;
    this.#scheduled = true;
    macrotask(() => this.#deliver());
  }

  #deliver(): void {
    this.#scheduled = false;
    const sink = this.#sink;
    if (!sink || this.#ended) return;
    // What is sent meanwhile waits for the next batch.
    const end = this.#inbox.length;
    while (this.#at < end && !this.#paused && !this.#ended) {
      const text = this.#inbox[this.#at++] as string;
      this.#inboxSize -= text.length;
      sink.message(text);
    }
    if (this.#ended) return;
    // Cut only when most of it is done: a reader that pauses at every message would copy the rest every time.
    if (this.#at * 2 >= this.#inbox.length) {
      this.#inbox = this.#inbox.slice(this.#at);
      this.#at = 0;
    }
    if (this.#inboxSize < highWaterMark) this.peer.#release();
    if (this.#paused) return;
    if (this.#inbox.length > 0) this.#schedule();
    else if (this.#endPending) this.#end();
  }

  #release(): void {
    const waiting = this.#drained;
    if (waiting.length === 0) return;
    this.#drained = [];
    for (const resolve of waiting) resolve();
  }

  #end(error?: ConnectionError): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#inbox = [];
    this.#at = 0;
    this.#inboxSize = 0;
    this.#release();
    this.peer.#release();
    this.#sink?.closed(error);
  }
}
