import type { Transport } from "@quire/jsonrpc";
import { StreamTransport, type StreamTransportOptions } from "@quire/jsonrpc/stdio";
import { type ByteFaults, faultyBytes } from "./byte-faults.ts";

/** Faults for each direction of a {@link bytePair}, and the limits of its transports. */
export interface BytePairOptions extends StreamTransportOptions {
  readonly toClient?: ByteFaults;
  readonly toServer?: ByteFaults;
}

/**
 * Two transports joined by real bytes in memory: messages are framed, cut, mixed with junk and framed again, just as
 * over the pipes of a child process, but without one. A cut in one direction breaks the other too.
 */
export function bytePair(options: BytePairOptions = {}): [client: Transport, server: Transport] {
  const toClient = faultyBytes(options.toClient ?? {});
  const toServer = faultyBytes(options.toServer ?? {});
  toClient.once("error", (error) => toServer.destroy(error));
  toServer.once("error", (error) => toClient.destroy(error));
  return [new StreamTransport(toClient, toServer, options), new StreamTransport(toServer, toClient, options)];
}
