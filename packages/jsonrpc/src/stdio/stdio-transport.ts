import process from "node:process";
import type { Transport } from "../transport/transport.ts";
import { StreamTransport, type StreamTransportOptions } from "./stream-transport.ts";

/**
 * The server's side: this process's own stdin and stdout. Nothing else may write to stdout from then on; logs go to
 * stderr.
 */
export function stdioTransport(options?: StreamTransportOptions): Transport {
  return new StreamTransport(process.stdin, process.stdout, options);
}
