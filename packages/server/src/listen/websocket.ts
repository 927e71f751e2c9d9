import { defaultMaxMessageBytes } from "@quire/jsonrpc";
import type { Server, ServerWebSocket } from "bun";
import type { Acceptor, ConnectionKind, Listener } from "./acceptor.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import { isLoopback, urlHost } from "./listen-address.ts";
import { ListenError } from "./listen-error.ts";
import { isOfThisUser } from "./peer-user.ts";
import { maxUnsentBytes, type SocketData, SocketTransport } from "./socket-transport.ts";

/** Options of {@link listenWebSocket}. */
export interface WebSocketOptions {
  readonly at: { readonly host: string; readonly port: number } | { readonly path: string };
  /** Without it, everybody may connect who can reach the address; on a loopback address of Linux, only this user. */
  readonly authenticator?: Authenticator | undefined;
  /** Serves everybody without authentication, also beyond this machine. */
  readonly allowUnauthenticated?: boolean | undefined;
  /** Largest message in bytes. Default 80 MiB. */
  readonly maxMessageBytes?: number | undefined;
  /** Clients at once; one more is refused with 503. Default 1,024. */
  readonly maxConnections?: number | undefined;
}

/** Seconds of silence before a remote client is pinged. Bun's largest value but one. */
const remoteIdleSeconds = 900;

/**
 * Serves WebSockets, and `/readyz` and `/healthz`. Refuses any request with an `Origin` header, which comes from a web
 * page, not a user. Clients are authenticated before the upgrade; without an authenticator, those of other users are refused.
 */
export function listenWebSocket(acceptor: Acceptor, options: WebSocketOptions): Listener {
  const { at } = options;
  const kind: ConnectionKind = "path" in at ? "unix" : "websocket";
  const local = "path" in at || isLoopback(at.host);
  if (!local && !options.authenticator && !options.allowUnauthenticated) throw unguarded(at.host, at.port);
  const transports = new Set<SocketTransport>();
  const maxConnections = options.maxConnections ?? 1024;

  const server = serve("path" in at ? at.path : `${urlHost(at.host)}:${at.port}`, {
    // With NODE_ENV=production Bun would share the port with other processes.
    ...("path" in at ? { unix: at.path } : { hostname: at.host, port: at.port, reusePort: false }),
    // Otherwise Bun would answer a failure with a page of our sources.
    development: false,
    fetch: (request: Request, self: Server<SocketData>) => {
      const refused = refusal(request, options) ?? strangerRefusal(request, self, options);
      if (refused) return refused;
      if (transports.size < maxConnections) return upgrade(request, self);
      return new Response("too many connections", { status: 503 });
    },
    websocket: {
      idleTimeout: local ? 0 : remoteIdleSeconds,
      maxPayloadLength: options.maxMessageBytes ?? defaultMaxMessageBytes,
      // The transport keeps the bound; this one only catches a single message that is larger than it.
      backpressureLimit: 2 * maxUnsentBytes,
      closeOnBackpressureLimit: true,
      perMessageDeflate: false,
      open(socket: ServerWebSocket<SocketData>) {
        const transport = new SocketTransport(socket);
        socket.data.transport = transport;
        transports.add(transport);
        acceptor.accept(transport, { kind });
      },
      message(socket: ServerWebSocket<SocketData>, data: string | Uint8Array) {
        socket.data.transport?.received(data);
      },
      drain(socket: ServerWebSocket<SocketData>) {
        socket.data.transport?.drained();
      },
      close(socket: ServerWebSocket<SocketData>, code: number, reason: string) {
        const { transport } = socket.data;
        if (!transport) return;
        transports.delete(transport);
        transport.gone(code, reason);
      },
    },
  });

  let settle: () => void;
  const closed = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return {
    address: "path" in at ? `unix://${at.path}` : `ws://${urlHost(at.host)}:${server.port}`,
    closed,
    async close() {
      await Promise.all([...transports].map((transport) => transport.close()));
      await server.stop(true);
      settle();
    },
  };
}

function serve(where: string, options: Bun.Serve.Options<SocketData>): Server<SocketData> {
  try {
    return Bun.serve(options);
  } catch (error) {
    throw new ListenError(`cannot listen on ${where}: ${refusalReason(error)}`, { cause: error });
  }
}

function refusalReason(error: unknown): string {
  switch ((error as { code?: unknown }).code) {
    case "EADDRINUSE":
      return "the port is in use; choose another or stop what uses this one";
    case "EADDRNOTAVAIL":
      return "this machine has no such address; choose one that it has, such as 127.0.0.1";
    default:
      return `${(error as Error).message}; choose another address`;
  }
}

/** The address of a probe. Not parsed as a URL: its host is the client's and may be missing (HTTP/1.0) or nonsense. */
const healthProbe = /^(?:https?:\/\/[^/]*)?\/(?:ready|health)z(?:[?#]|$)/;

/** The response to a request that must not become a WebSocket. */
function refusal(request: Request, options: WebSocketOptions): Response | undefined {
  const { headers, method } = request;
  if (headers.has("origin")) return new Response(null, { status: 403 });
  if (healthProbe.test(request.url)) {
    const reads = method === "GET" || method === "HEAD";
    return new Response(null, reads ? { status: 200 } : { status: 405, headers: { allow: "GET,HEAD" } });
  }
  if (headers.get("upgrade")?.toLowerCase() !== "websocket") {
    return new Response("Connection header did not include 'upgrade'", { status: 400 });
  }
  const denied = options.authenticator?.check(headers.get("authorization"));
  return denied === undefined ? undefined : new Response(denied, { status: 401 });
}

/** The response to another user of this machine, who may not do what this one may. */
function strangerRefusal(
  request: Request,
  server: Server<SocketData>,
  { at, authenticator, allowUnauthenticated }: WebSocketOptions,
): Response | undefined {
  if ("path" in at || authenticator || allowUnauthenticated) return undefined;
  const peer = server.requestIP(request);
  if (peer && isOfThisUser({ peerPort: peer.port, port: server.port ?? at.port })) return undefined;
  const remedy = "connect as the user that runs this server, or start it with --ws-auth capability-token";
  return new Response(`only its own user may connect without a token: ${remedy}`, { status: 403 });
}

function upgrade(request: Request, server: Server<SocketData>): Response | undefined {
  if (server.upgrade(request, { data: { transport: undefined } })) return undefined;
  return new Response("the WebSocket handshake is malformed", { status: 400 });
}

function unguarded(host: string, port: number): ListenError {
  return new ListenError(
    `refusing to start non-loopback websocket listener ${urlHost(host)}:${port} without auth; configure ` +
      "`--ws-auth capability-token` or `--ws-auth signed-bearer-token`, or pass `--ws-allow-unauthenticated` " +
      "to let everybody who can reach the port run commands here",
  );
}
