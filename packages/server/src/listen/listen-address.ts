import { ListenError } from "./listen-error.ts";

/** A parsed address. */
export type ListenAddress =
  | { readonly kind: "stdio" }
  | { readonly kind: "off" }
  /** `path` is empty for the default socket in the server's home. */
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "websocket"; readonly host: string; readonly port: number };

/** Reads a `--listen` value. Throws a {@link ListenError} that lists what is understood. */
export function parseListenAddress(url: string): ListenAddress {
  if (url === "stdio://") return { kind: "stdio" };
  if (url === "off") return { kind: "off" };
  if (url.startsWith("unix://")) return { kind: "unix", path: url.slice("unix://".length) };
  if (url.startsWith("ws://")) return webSocketAddress(url);
  throw new ListenError(
    `unsupported --listen URL \`${url}\`; expected \`stdio://\`, \`unix://\`, \`unix://PATH\`, \`ws://IP:PORT\`, or \`off\``,
    { usage: true },
  );
}

/** True when only this machine can reach an address. */
export function isLoopback(host: string): boolean {
  return host === "::1" || /^127\./.test(host) || /^::ffff:127\./i.test(host);
}

/** A host in URL syntax. */
export function urlHost(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

// An IP, not a name: the meaning of a name can change, and with it who can reach the server.
function webSocketAddress(url: string): ListenAddress {
  const match = /^ws:\/\/(?:\[([^\]]+)\]|([^:/]+)):(\d{1,5})\/?$/.exec(url);
  const host = match?.[1] ?? match?.[2] ?? "";
  const port = Number(match?.[3]);
  if (!match || !isIp(host) || port > 65_535) {
    throw new ListenError(`invalid websocket --listen URL \`${url}\`; expected \`ws://IP:PORT\``, { usage: true });
  }
  return { kind: "websocket", host, port };
}

// Not from `node:net`, which takes longer to load than all else that a start on stdio needs.
function isIp(host: string): boolean {
  if (host.includes(":")) return URL.canParse(`http://[${host}]`);
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(host) && host.split(".").every((part) => Number(part) < 256);
}
