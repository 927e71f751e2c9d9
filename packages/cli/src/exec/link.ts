import { Connection, RpcError } from "@quire/jsonrpc";
import type { ClientMethods, ServerMethods, ServerNotification } from "@quire/protocol";
import { codexVersion } from "@quire/server";
import { embeddedServer } from "../server/embedded-server.ts";

/** A server in this process and a plain connection to it: without the client's comforts, it starts sooner. */
export interface Link extends AsyncDisposable {
  readonly connection: Connection<ServerMethods, ClientMethods>;
  /** Sees notifications from now on, first those that came before. */
  follow(take: (notification: ServerNotification) => void): void;
}

/** Options of a link. */
export interface LinkOptions {
  readonly overrides: Readonly<Record<string, unknown>>;
  /** The name by which the server knows this client. */
  readonly clientName: string;
  readonly source: "exec" | "cli" | "appServer";
  /** Answers the server's questions. Default: nobody is there who could be asked, so none is agreed to. */
  readonly answer?: (method: string, params: unknown) => unknown;
}

/** Starts the server and shakes hands. Disposing of the link ends the server with all that it runs. */
export async function openLink({ overrides, clientName, source, answer = decline }: LinkOptions): Promise<Link> {
  const server = embeddedServer({ configOverrides: overrides, sessionSource: source });
  const waiting: ServerNotification[] = [];
  let take = (notification: ServerNotification): void => void waiting.push(notification);
  const connection = new Connection<ServerMethods, ClientMethods>(await server.dial(), {
    onRequest: (params, { method }) => answer(method, params),
    onNotification: (message) => take(message as ServerNotification),
  });
  const dispose = async () => {
    await server[Symbol.asyncDispose]();
    await connection.close();
  };
  try {
    await connection.request("initialize", {
      clientInfo: { name: clientName, title: null, version: codexVersion },
      capabilities: { experimentalApi: true },
    });
    connection.notify("initialized");
  } catch (error) {
    await dispose();
    throw error;
  }
  return {
    connection,
    follow(next) {
      take = next;
      for (const notification of waiting.splice(0)) next(notification);
    },
    [Symbol.asyncDispose]: dispose,
  };
}

/** As Codex answers where nobody can be asked. */
function decline(method: string): unknown {
  if (method === "mcpServer/elicitation/request") return { action: "cancel", content: null, _meta: null };
  throw new RpcError({ code: -32_000, message: `${method} is not supported in exec mode` });
}
