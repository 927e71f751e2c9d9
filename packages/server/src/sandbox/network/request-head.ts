/** Where somebody wants to go. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** What a client of a proxy asks for. */
export type ProxyRequest =
  | ({ readonly kind: "tunnel" } & Destination)
  /** `head`: the request as the destination is to see it. */
  | ({ readonly kind: "forward"; readonly head: string } & Destination);

/** Longest head of a request. */
export const maxHeadBytes = 65_536;

/** Reads the head of an HTTP request to a proxy, without the empty line. `undefined` where it is none. */
export function readHead(head: string): ProxyRequest | undefined {
  const [line = "", ...headers] = head.split("\r\n");
  const [, method = "", target = "", version] = /^([A-Z]+) (\S+) (HTTP\/1\.[01])$/.exec(line) ?? [];
  if (version === undefined) return undefined;
  if (method === "CONNECT") {
    const to = authority(target, 443);
    return to && { kind: "tunnel", ...to };
  }
  const [, place = "", path = ""] = /^http:\/\/([^/?#]+)(.*)$/i.exec(target) ?? [];
  const host = place.slice(place.lastIndexOf("@") + 1);
  const to = authority(host, 80);
  if (!to) return undefined;
  const kept = headers.filter((header) => !/^(proxy-|connection:|keep-alive:|host:)/i.test(header));
  const first = `${method} ${path.startsWith("/") ? path : `/${path}`} ${version}`;
  // One request for each connection: the next may be for somebody else.
  return { kind: "forward", ...to, head: [first, `Host: ${host}`, "Connection: close", ...kept, "", ""].join("\r\n") };
}

/** A host and a port, as in addresses. */
function authority(text: string, otherwise: number): Destination | undefined {
  const [, bracketed, name, port] = /^(?:\[([0-9a-fA-F:.%]+)\]|([^:\s[\]@/]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = normalHost(bracketed ?? name ?? "");
  const number = port === undefined ? otherwise : Number(port);
  return host !== undefined && number > 0 && number < 65_536 ? { host, port: number } : undefined;
}

/** A host as rules spell it; `undefined` where it is none. */
export function normalHost(text: string): string | undefined {
  const host = text.toLowerCase().replace(/\.$/, "");
  return host.length > 0 && host.length <= 253 && /^[a-z0-9._:-]+$/.test(host) ? host : undefined;
}
