import { canonicalBytes } from "./canonical-host.ts";

/** A host and port to connect to. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/** The length of a body: so many bytes, or chunks that say where they end. */
export type BodyLength = number | "chunked";

/** A request to a proxy. */
export type ProxyRequest =
  | ({ readonly kind: "tunnel" } & Destination)
  | ({ readonly kind: "forward"; readonly head: string; readonly body: BodyLength } & Destination);

/** Longest head of a request. */
export const maxHeadBytes = 65_536;

const header = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([^\r\n\0]*)$/;
/** Headers for the proxy, or that it writes itself. */
const own = /^(proxy-.*|connection|keep-alive|host|upgrade|te|trailer|content-length|transfer-encoding)$/;

/** Reads the head of an HTTP request to a proxy, without the empty line. `undefined` where it is none, or could be read in two ways. */
export function readHead(head: string): ProxyRequest | undefined {
  const [line = "", ...lines] = head.split("\r\n");
  const [, method = "", target = "", version] = /^([A-Z]+) (\S+) (HTTP\/1\.[01])$/.exec(line) ?? [];
  const headers = readHeaders(lines);
  if (version === undefined || headers === undefined) return undefined;
  if (method === "CONNECT") {
    const to = authority(target, 443);
    return to && { kind: "tunnel", ...to };
  }
  const [, place = "", path = ""] = /^http:\/\/([^/?#]+)([^#]*)$/i.exec(target) ?? [];
  const to = authority(place, 80);
  const body = bodyLength(headers);
  if (!to || body === undefined) return undefined;
  const kept = headers.filter(({ name }) => !own.test(name)).map(({ name, value }) => `${name}: ${value}`);
  const length = body === "chunked" ? "Transfer-Encoding: chunked" : `Content-Length: ${body}`;
  const first = `${method} ${path.startsWith("/") ? path : `/${path}`} ${version}`;
  // One request per connection: the next may be for another host. The host is the one that was checked.
  const written = [first, `Host: ${hostHeader(to)}`, "Connection: close", ...(body === 0 ? [] : [length]), ...kept];
  return { kind: "forward", ...to, body, head: [...written, "", ""].join("\r\n") };
}

interface Header {
  /** In lower case. */
  readonly name: string;
  readonly value: string;
}

/** `undefined` for an invalid line, such as a folded one, or for a repeated name that matters. */
function readHeaders(lines: readonly string[]): Header[] | undefined {
  const headers: Header[] = [];
  for (const line of lines) {
    const [, name, value] = header.exec(line) ?? [];
    if (name === undefined || value === undefined) return undefined;
    headers.push({ name: name.toLowerCase(), value: value.trimEnd() });
  }
  const isOnce = (name: string) => headers.filter((each) => each.name === name).length <= 1;
  return ["host", "content-length", "transfer-encoding"].every(isOnce) ? headers : undefined;
}

function bodyLength(headers: readonly Header[]): BodyLength | undefined {
  const of = (name: string) => headers.find((each) => each.name === name)?.value;
  const [length, coding] = [of("content-length"), of("transfer-encoding")];
  if (coding !== undefined) return length === undefined && coding.toLowerCase() === "chunked" ? "chunked" : undefined;
  if (length === undefined) return 0;
  return /^\d{1,15}$/.test(length) ? Number(length) : undefined;
}

function hostHeader({ host, port }: Destination): string {
  const name = host.includes(":") ? `[${host}]` : host;
  return port === 80 ? name : `${name}:${port}`;
}

/** A host and a port. User information is refused: nobody logs in at a host through a proxy. */
function authority(text: string, otherwise: number): Destination | undefined {
  const [, bracketed, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:\s[\]@/]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = canonicalBytes(bracketed ?? name ?? "");
  const number = port === undefined ? otherwise : Number(port);
  return host !== undefined && number > 0 && number < 65_536 ? { host, port: number } : undefined;
}
