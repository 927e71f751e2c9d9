import { isIP } from "node:net";
import { embeddedIPv4, isMappedIPv4 } from "./embedded-address.ts";

const maxLength = 253;
const label = /^[a-z0-9_-]{1,63}$/;
/** Characters that a URL parser would decode, cut at, or take for something other than a host. */
const notInHost = /[\s%@/\\?#<>^|[\]]|\p{Cc}/u;

/**
 * The canonical form of a host for rules, people and connections: a lower-case ASCII name without a final dot, a dotted
 * IPv4 address, or the shortest IPv6 address. `undefined` for empty labels, zones, and IPv6 addresses that stand for an
 * IPv4 one behind a gateway.
 * @param text Without brackets.
 */
export function canonicalHost(text: string): string | undefined {
  if (text === "" || notInHost.test(text)) return undefined;
  const isSix = text.includes(":");
  const host = parsed(isSix ? `[${text}]` : text)?.replace(/^\[|\]$/g, "");
  if (host === undefined) return undefined;
  return isSix ? canonicalSix(host) : canonicalName(host);
}

function canonicalSix(host: string): string | undefined {
  const inner = embeddedIPv4(host);
  if (inner === undefined) return host;
  // The system connects to the IPv4 address itself.
  return isMappedIPv4(host) ? inner : undefined;
}

function canonicalName(host: string): string | undefined {
  if (isIP(host) === 4) return host;
  const name = host.endsWith(".") ? host.slice(0, -1) : host;
  const labels = name.split(".");
  // A resolver may take a last part that is a number for an address.
  if (
    name.length > maxLength ||
    !labels.every((each) => label.test(each)) ||
    /^(\d+|0x[\da-f]*)$/.test(labels.at(-1) ?? "")
  )
    return undefined;
  return name;
}

/** Parses as browsers do: cases, numbers in all bases, other scripts. */
function parsed(authority: string): string | undefined {
  try {
    return new URL(`http://${authority}/`).hostname;
  } catch {
    return undefined;
  }
}

/** A host that came as bytes; other scripts in UTF-8. */
export function canonicalBytes(latin1: string): string | undefined {
  try {
    return canonicalHost(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(latin1, "latin1")));
  } catch {
    return undefined;
  }
}
