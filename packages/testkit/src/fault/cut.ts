import { ConnectionError, type Transport } from "@quire/jsonrpc";
import { TransportWrapper } from "../lib/transport-wrapper.ts";
import type { Direction } from "./lane-transport.ts";

/** Options of {@link cutting}. */
export interface CutOptions {
  /** After so many messages; 0 cuts at the first one, before it is through. */
  readonly afterMessages: number;
  /** Messages that count. Default `both`. */
  readonly direction?: Direction;
}

/** Wraps a transport so that it ends with an error in the middle of things, and both sides learn it. */
export function cutting(inner: Transport, options: CutOptions): Transport {
  return new CountingTransport(inner, {
    ...options,
    onReached: (end) => end(new ConnectionError("closed", `Cut by a test after ${options.afterMessages} messages`)),
    passAfter: false,
  });
}

/** Options of {@link killing}. */
export interface KillOptions extends CutOptions {
  /** Process id of the child behind the transport. */
  readonly pid: number;
  /** Default `SIGKILL`. */
  readonly signal?: "SIGKILL" | "SIGTERM" | "SIGSTOP";
}

/** Wraps the transport of a child process and kills the child after some messages; the transport notices by itself. */
export function killing(inner: Transport, options: KillOptions): Transport {
  return new CountingTransport(inner, {
    ...options,
    onReached: () => void process.kill(options.pid, options.signal ?? "SIGKILL"),
    passAfter: true,
  });
}

interface CountOptions extends CutOptions {
  readonly onReached: (end: (error: ConnectionError) => void) => void;
  /** Let messages pass after the count was reached. */
  readonly passAfter: boolean;
}

class CountingTransport extends TransportWrapper {
  readonly #options: CountOptions;
  #count = 0;
  #reached = false;

  constructor(inner: Transport, options: CountOptions) {
    super(inner);
    this.#options = options;
  }

  override send(text: string): void {
    if (this.#passes("out")) this.inner.send(text);
    this.#check();
  }

  protected override incoming(text: string): void {
    if (this.#passes("in")) this.deliver(text);
    this.#check();
  }

  #passes(way: "in" | "out"): boolean {
    const { direction = "both", afterMessages, passAfter } = this.#options;
    if (direction === "both" || direction === way) this.#count++;
    return passAfter || (!this.#reached && this.#count <= afterMessages);
  }

  #check(): void {
    if (this.#reached || this.#count < Math.max(1, this.#options.afterMessages)) return;
    this.#reached = true;
    this.#options.onReached((error) => {
      this.end(error);
      void this.inner.close();
    });
  }
}
