import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Addresses of this machine and of networks that only it is in. */
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
  ["64:ff9b::", 96],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  local.addSubnet(net, bits, "ipv6");
}

/** Whether an address leads to this machine or to a network behind it. What is no address does. */
export function isLocalAddress(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? hexMapped(address);
  const plain = mapped ?? address;
  const kind = isIP(plain);
  return kind === 0 || local.check(plain, kind === 6 ? "ipv6" : "ipv4");
}

/** IPv4 within IPv6, written as IPv6. */
function hexMapped(address: string): string | undefined {
  const [, high, low] = /^(?:0:0:0:0:0|:):ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return undefined;
  const value = Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16);
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join(".");
}

/** Whether a name or address means this machine without being looked up. */
export function isLocalName(host: string): boolean {
  if (isIP(host) !== 0) return isLocalAddress(host);
  return host === "localhost" || host.endsWith(".localhost") || /^[\d.]+$|^0x/.test(host);
}

/** The addresses of a host; the one that is connected to is among those that were looked at. */
export async function addressesOf(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  return (await lookup(host, { all: true })).map(({ address }) => address);
}
