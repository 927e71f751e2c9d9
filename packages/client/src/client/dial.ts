import { ConnectionError, type Transport } from "@quire/jsonrpc";
import type { CommonOptions, ConnectOptions, SpawnOptions, TransportSource } from "./client-options.ts";

/** A way to a server: makes transports, as often as needed. */
export interface Dialer {
  dial(signal: AbortSignal): Promise<Transport> | Transport;
  /** True when the link reconnects by default. */
  readonly isSocket: boolean;
  /** True when it can connect more than once. */
  readonly canRedial: boolean;
}

/** Starts a child process. Loaded when used, so that a page does not carry it. */
export function spawnDialer({ server = "codex", command, ...options }: SpawnOptions): Dialer {
  if (server !== "codex" && server !== "quire") throw new TypeError('server is "codex" or "quire"');
  if (command !== undefined && !Array.isArray(command))
    throw new TypeError('command is an array, such as ["codex", "app-server"]');
  return {
    isSocket: false,
    canRedial: true,
    dial: async (signal) => {
      const { spawnServer } = await import("#host");
      signal.throwIfAborted();
      return logged(spawnServer({ ...options, command: command ?? [server, "app-server"] }), options);
    },
  };
}

/** Connects to `ws://`, `wss://` or `unix://`. */
export function socketDialer(url: string, options: ConnectOptions): Dialer {
  if (!/^(wss?|unix):\/\//.test(url))
    throw new TypeError(`An address begins with ws://, wss:// or unix://, not ${url}`);
  const { token, connectTimeoutMs, maxMessageBytes } = options;
  const headers = { ...options.headers, ...(token !== undefined && { Authorization: `Bearer ${token}` }) };
  return {
    isSocket: true,
    canRedial: true,
    dial: async (signal) => {
      const { connectWebSocket } = await import("@quire/jsonrpc/websocket");
      const socket = connectWebSocket(url, { headers, signal, connectTimeoutMs, maxMessageBytes });
      return logged(await socket.catch((error: unknown) => refuse(error, url)), options);
    },
  };
}

/** Adds the likely reason where a unix socket is there but hangs up on the handshake. */
function refuse(error: unknown, url: string): never {
  const isThere = ConnectionError.is(error) && error.code === "closed" && !/ENOENT|ECONNREFUSED/.test(error.message);
  if (!isThere || !url.startsWith("unix://")) throw error;
  const reason = "Codex 0.125 takes no WebSocket handshake on unix sockets: use 0.128 or later, or ws://";
  throw new ConnectionError("closed", `${error.message} (${reason})`, { cause: error });
}

/** Takes a transport, or a function that makes one. */
export function transportDialer(transport: TransportSource, options: CommonOptions): Dialer {
  const redial = typeof transport === "function" ? transport : undefined;
  return {
    isSocket: false,
    canRedial: redial !== undefined,
    dial: async (signal) => logged(redial ? await redial(signal) : (transport as Transport), options),
  };
}

async function logged(transport: Transport, { wireLog }: CommonOptions): Promise<Transport> {
  if (wireLog === undefined) return transport;
  const { logWire } = await import("#host");
  try {
    return logWire(transport, wireLog);
  } catch (error) {
    await transport.close();
    throw new ConnectionError("spawn-failed", `The wire log cannot be written: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
