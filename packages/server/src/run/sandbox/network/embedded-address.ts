/** IPv6 networks that embed IPv4 addresses: their prefixes, and the index among the eight parts. */
const networks: readonly { readonly prefix: readonly number[]; readonly at: number }[] = [
  { prefix: [0, 0, 0, 0, 0, 0xffff], at: 6 }, // mapped
  { prefix: [0, 0, 0, 0, 0, 0], at: 6 }, // compatible
  { prefix: [0, 0, 0, 0, 0xffff, 0], at: 6 }, // translated
  { prefix: [0x64, 0xff9b, 0, 0, 0, 0], at: 6 }, // NAT64
  { prefix: [0x2002], at: 1 }, // 6to4
];

/** The IPv4 address embedded in an IPv6 one; `undefined` when there is none. */
export function embeddedIPv4(address: string): string | undefined {
  const parts = partsOf(address);
  // No host, and this one.
  if (parts === undefined || parts.slice(0, 7).every((part) => part === 0)) return undefined;
  const found = networks.find(({ prefix }) => prefix.every((part, index) => parts[index] === part));
  if (found === undefined) return undefined;
  const [high = 0, low = 0] = parts.slice(found.at);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** True for the form in which the system itself writes an IPv4 address. */
export function isMappedIPv4(address: string): boolean {
  return partsOf(address)?.slice(0, 6).join() === networks[0]?.prefix.join();
}

function partsOf(address: string): number[] | undefined {
  let short: string;
  try {
    short = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
  const [before = "", after] = short.split("::");
  const numbers = (text: string | undefined) => (text ? text.split(":").map((part) => Number.parseInt(part, 16)) : []);
  const [first, last] = [numbers(before), numbers(after)];
  const zeros = after === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array.from({ length: zeros }, () => 0), ...last];
}
