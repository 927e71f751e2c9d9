import { canonicalBytes, canonicalHost } from "./canonical-host.ts";
import type { Destination } from "./request-head.ts";

/** The greeting's answer: no authentication. */
export const socksWelcome: Uint8Array = Uint8Array.of(5, 0);

/** The answer to a request; 0 is well, 2 not allowed, 5 refused. */
export function socksReply(code: number): Uint8Array {
  return Uint8Array.of(5, code, 0, 1, 0, 0, 0, 0, 0, 0);
}

/** Length of a greeting; `undefined` while more of it must come. */
export function greetingLength(bytes: Uint8Array): number | undefined {
  const length = bytes.length < 2 ? undefined : 2 + (bytes[1] ?? 0);
  return length !== undefined && bytes.length >= length ? length : undefined;
}

/** A SOCKS 5 request. */
export interface SocksRequest {
  readonly length: number;
  /** `undefined` for unsupported commands and bad names. */
  readonly to: Destination | undefined;
}

/** Reads a request; `undefined` while more of it must come. */
export function readSocks(bytes: Uint8Array): SocksRequest | undefined {
  if (bytes.length < 5) return undefined;
  const kind = bytes[3];
  const size = kind === 1 ? 4 : kind === 4 ? 16 : kind === 3 ? 1 + (bytes[4] ?? 0) : 0;
  if (size === 0) return { length: bytes.length, to: undefined };
  const length = 4 + size + 2;
  if (bytes.length < length) return undefined;
  const address = bytes.subarray(4, 4 + size);
  const host =
    kind === 3 ? canonicalBytes(Buffer.from(address.subarray(1)).toString("latin1")) : canonicalHost(numeric(address));
  const port = (bytes[length - 2] ?? 0) * 256 + (bytes[length - 1] ?? 0);
  const isConnect = bytes[0] === 5 && bytes[1] === 1;
  return { length, to: isConnect && host !== undefined && port > 0 ? { host, port } : undefined };
}

function numeric(address: Uint8Array): string {
  if (address.length === 4) return address.join(".");
  const view = new DataView(address.buffer, address.byteOffset);
  return Array.from({ length: 8 }, (_, index) => view.getUint16(index * 2).toString(16)).join(":");
}
