import { Connection, type ConnectionError, type ConnectionOptions, type Transport } from "@quire/jsonrpc";
import { memoryPair } from "@quire/jsonrpc/memory";
import { deferred } from "./async.ts";

/** Two connections that talk to each other in memory. */
export function connectedPair(
  clientOptions: ConnectionOptions = {},
  serverOptions: ConnectionOptions = {},
): { client: Connection; server: Connection } {
  const [left, right] = memoryPair();
  return { client: new Connection(left, clientOptions), server: new Connection(right, serverOptions) };
}

/** The far end of a connection as bare text, to see and send exactly what stands on the wire. */
export class RawPeer {
  readonly transport: Transport;
  readonly received: string[] = [];
  readonly closed: Promise<ConnectionError | undefined>;
  #read = 0;
  #wake: (() => void) | undefined;

  constructor(transport: Transport) {
    const closed = deferred<ConnectionError | undefined>();
    this.closed = closed.promise;
    this.transport = transport;
    transport.start({
      message: (text) => {
        this.received.push(text);
        this.#wake?.();
      },
      closed: (error) => closed.resolve(error),
    });
  }

  /** Sends a value as JSON, or a string as it is. */
  send(message: unknown): void {
    this.transport.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  /** The next message that was not asked for yet. */
  async next(): Promise<unknown> {
    while (this.#read >= this.received.length) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return JSON.parse(this.received[this.#read++] as string);
  }

  /** Sends a request and gives back what is answered next. */
  ask(message: unknown): Promise<unknown> {
    this.send(message);
    return this.next();
  }
}

/** A connection and the bare other end of its wire. */
export function connectionAndRaw(options: ConnectionOptions = {}): { connection: Connection; raw: RawPeer } {
  const [left, right] = memoryPair();
  return { connection: new Connection(left, options), raw: new RawPeer(right) };
}
