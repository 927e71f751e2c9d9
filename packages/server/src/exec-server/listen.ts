import type { Acceptor, Listener } from "../listen/acceptor.ts";
import { type AuthOptions, authenticatorOf } from "../listen/auth/auth-options.ts";
import { isLoopback, parseListenAddress, urlHost } from "../listen/listen-address.ts";
import { ListenError } from "../listen/listen-error.ts";
import { listenStdio } from "../listen/stdio.ts";
import { listenWebSocket } from "../listen/websocket.ts";

/** The address of an exec-server, and who may connect. */
export interface ExecListenOptions {
  /** `ws://IP:PORT` or `stdio`. */
  readonly url: string;
  readonly auth?: AuthOptions | undefined;
}

/** Serves app-servers at an address. Other machines need a token: all that they ask for is run. */
export function listenExecServer(acceptor: Acceptor, { url, auth = {} }: ExecListenOptions): Listener {
  const authenticator = authenticatorOf(auth);
  if (url === "stdio" || url === "stdio://") return listenStdio(acceptor);
  const address = url.startsWith("ws://") ? parseListenAddress(url) : undefined;
  if (address?.kind !== "websocket")
    throw new ListenError(`unsupported --listen URL \`${url}\`; expected \`ws://IP:PORT\` or \`stdio\``);
  const { host, port } = address;
  if (!isLoopback(host) && !authenticator)
    throw new ListenError(
      `refusing to serve other machines at ${urlHost(host)}:${port} without auth: they could run anything here; configure ` +
        "`--ws-auth capability-token` or `--ws-auth signed-bearer-token`, or listen on 127.0.0.1 and use ssh -L",
    );
  return listenWebSocket(acceptor, { at: { host, port }, authenticator });
}
