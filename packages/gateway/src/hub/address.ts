import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";

/** A server's address, taken apart. */
export interface ServerAddress {
  /** Without credentials: fit to be shown and logged. */
  readonly shown: string;
  /** Address to connect to. Only this one has the query, which may hold a secret. */
  readonly url: string;
  /** To be sent as a bearer token, where the address held one. */
  readonly token: string | undefined;
  readonly name: string;
}

const maxLength = 2048;

/**
 * Reads `ws://HOST:PORT`, `wss://…` or `unix://PATH`. Text before an `@` is the server's bearer token.
 * Throws an error that says what is expected.
 */
export function parseAddress(text: string): ServerAddress {
  const given = text.trim();
  if (given.length > maxLength) throw new TypeError(`An address has at most ${maxLength} characters`);
  if (given.startsWith("unix://")) {
    const path = given.slice("unix://".length);
    if (!isAbsolute(path) || path.includes("\0"))
      throw new TypeError("unix:// needs an absolute path: unix:///run/x.sock");
    return { shown: given, url: given, token: undefined, name: path };
  }
  if (!/^wss?:\/\/[^/]/.test(given) || !URL.canParse(given)) {
    throw new TypeError("An address is ws://HOST:PORT, wss://HOST:PORT or unix:///PATH");
  }
  const url = new URL(given);
  const token = decodeURIComponent(url.password || url.username) || undefined;
  url.username = "";
  url.password = "";
  // One server is one hub; a certificate, though, is made out to a name.
  if (url.protocol === "ws:" && url.hostname === "localhost") url.hostname = "127.0.0.1";
  url.hash = "";
  const path = url.pathname === "/" ? "" : url.pathname;
  const shown = `${url.protocol}//${url.host}${path}`;
  return { shown, url: `${shown}${url.search}`, token, name: `${url.host}${path}` };
}

/** The id of the hub to an address or command: the same whenever it is added. */
export function hubId(address: string): string {
  return `h${createHash("sha256").update(address).digest("hex").slice(0, 11)}`;
}
