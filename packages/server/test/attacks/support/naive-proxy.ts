/** A proxy's reading of requests as one would write it at first: hosts are compared as they are written. */

/** The host of a request's target. */
export function naiveHost(head: string): string | undefined {
  const [line = ""] = head.split("\n");
  const [, method, target = ""] = /^(\S+) (\S+)/.exec(line) ?? [];
  const place = method === "CONNECT" ? target : (/^http:\/\/([^/?#]+)/.exec(target)?.[1] ?? "");
  return place.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}

/** The head as the destination would get it: with the path for the target, all else as it came. */
export function naiveForward(head: string): string {
  return head.replace(/^(\S+) http:\/\/[^/]+(\S*)/, "$1 $2");
}

/** Whether an address is of this machine: by the notation that everybody knows. */
export function isNaivelyLocal(address: string): boolean {
  return /^(127|10|192\.168|169\.254)\./.test(address) || address === "::1";
}
