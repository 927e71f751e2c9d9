import type { Connection } from "@quire/jsonrpc";
import {
  type ClientMethods,
  type InitializeParams,
  type InitializeResponse,
  parseUserAgent,
  type ServerMethods,
} from "@quire/protocol";

/** A server's reply to `initialize`, and the version that its user agent names. */
export interface Introduction {
  readonly server: InitializeResponse;
  readonly version: string | undefined;
}

/** Initializes a new connection. */
export async function handshake(
  connection: Connection<ServerMethods, ClientMethods>,
  params: InitializeParams,
  timeoutMs: number,
): Promise<Introduction> {
  const server = await connection.request("initialize", params, { timeoutMs });
  connection.notify("initialized");
  return { server, version: parseUserAgent(String(server?.userAgent ?? "")) };
}
