import type { Acceptor, Listener } from "./acceptor.ts";
import type { AuthOptions } from "./auth/auth-options.ts";
import { type ListenAddress, parseListenAddress } from "./listen-address.ts";
import { ListenError } from "./listen-error.ts";

/** Options of {@link listen}. */
export interface ListenOptions {
  /** `stdio://`, `ws://IP:PORT`, `unix://`, `unix://PATH` or `off`. */
  readonly url: string;
  /** The folder of the default unix socket. Default: as for the server. */
  readonly home?: string | undefined;
  readonly auth?: AuthOptions | undefined;
  /** Serves beyond this machine without authentication. */
  readonly allowUnauthenticated?: boolean | undefined;
  /** Receives the banner with the actual address; sockets only. */
  readonly announce?: ((text: string) => void) | undefined;
}

/** Serves clients at an address. Throws a ListenError when it cannot. Each kind is loaded on use. */
export async function listen(acceptor: Acceptor, options: ListenOptions): Promise<Listener> {
  const address = parseListenAddress(options.url);
  const authenticator = options.auth && (await import("./auth/auth-options.ts")).authenticatorOf(options.auth);
  if (address.kind === "stdio") return (await import("./stdio.ts")).listenStdio(acceptor);
  if (address.kind === "off")
    throw new ListenError("no transport configured; use --listen stdio://, unix:// or ws://IP:PORT");
  const shared = { authenticator, allowUnauthenticated: options.allowUnauthenticated };
  const listener = await (address.kind === "unix"
    ? unix(acceptor, address, { ...shared, home: options.home })
    : socket(acceptor, address, shared));
  if (options.announce) {
    const { listeningBanner } = await import("./banner.ts");
    options.announce(listeningBanner(listener.address, authenticator !== undefined));
  }
  return listener;
}

type Shared = Pick<import("./websocket.ts").WebSocketOptions, "authenticator" | "allowUnauthenticated">;

async function unix(
  acceptor: Acceptor,
  { path }: Extract<ListenAddress, { kind: "unix" }>,
  { home, ...options }: Shared & { readonly home: string | undefined },
): Promise<Listener> {
  const [{ listenUnix }, { defaultSocketPath, resolveHome }] = await Promise.all([
    import("./unix-socket.ts"),
    import("../config/home.ts"),
  ]);
  const at = { path: path === "" ? defaultSocketPath(home ?? resolveHome(process.env)) : path };
  return listenUnix(acceptor, { ...options, at });
}

async function socket(
  acceptor: Acceptor,
  { host, port }: Extract<ListenAddress, { kind: "websocket" }>,
  options: Shared,
): Promise<Listener> {
  const { listenWebSocket } = await import("./websocket.ts");
  return listenWebSocket(acceptor, { ...options, at: { host, port } });
}
