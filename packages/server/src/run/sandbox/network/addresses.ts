import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { embeddedIPv4 } from "./embedded-address.ts";

/** Addresses of this machine and of private networks. */
const local = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  local.addSubnet(net, bits, "ipv4");
}
for (const [net, bits] of [
  ["::", 128],
  ["::1", 128],
  ["64:ff9b:1::", 48],
  ["2001::", 32],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  local.addSubnet(net, bits, "ipv6");
}

/**
 * True when an address leads to this machine or to a network behind it. Invalid addresses count as local.
 * @param own This machine's addresses.
 */
export function isLocalAddress(address: string, own: readonly string[] = ownAddresses()): boolean {
  const plain = isIP(address) === 6 ? (embeddedIPv4(address) ?? address) : address;
  const kind = isIP(plain);
  return kind === 0 || own.includes(plain) || local.check(plain, kind === 6 ? "ipv6" : "ipv4");
}

/** They change while a server runs. */
function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((rows) => rows?.map(({ address }) => address) ?? []);
}

/** True when a canonical name or address means this machine without a lookup. */
export function isLocalName(host: string): boolean {
  if (isIP(host) !== 0) return isLocalAddress(host);
  return host === "localhost" || host.endsWith(".localhost");
}

/** The addresses of a host; the one that is connected to is among those that were looked at. */
export async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
