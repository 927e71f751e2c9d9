import { ErrorCode, RpcError } from "@quire/jsonrpc";
import type { McpServerEventStreamStartParams } from "@quire/protocol";
import type { Client } from "../../context/client.ts";
import { service } from "../../context/services.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { internalError, invalidRequest } from "../../lib/rpc-errors.ts";
import { isTable } from "../../lib/table.ts";
import type { McpServer } from "../../mcp/mcp-server.ts";
import type { Thread } from "../../thread/thread.ts";

const maxStreams = 64;
/** Time for a server to activate its stream. */
const startupMs = 90_000;

const active = "notifications/events/active";
const terminated = "notifications/events/terminated";

/** Subscriptions to events of MCP servers, by connection. They end with it. */
const streams = service((connection: Client) => {
  const made = new Map<string, AbortController>();
  connection.onEnd(() => {
    for (const stream of made.values()) stream.abort();
  });
  return made;
});

const streamsOf = (connection: Client): Map<string, AbortController> => connection.services.get(streams);

/**
 * Requests events from a server (`events/stream`) and passes them on until the client, the server or the connection
 * ends the stream. Resolves when the server reports it active.
 */
export async function startEventStream(
  server: McpServer,
  thread: Thread,
  by: { readonly connection: Client; readonly params: McpServerEventStreamStartParams },
): Promise<void> {
  const { connection, params } = by;
  const { subscriptionId, name, arguments: args, _meta: meta } = params;
  if (!thread.subscribers.has(connection))
    throw invalidRequest(`connection is not subscribed to thread '${thread.id}'`);
  const own = streamsOf(connection);
  if (own.has(subscriptionId)) throw invalidRequest(`MCP event subscription '${subscriptionId}' already exists`);
  if (own.size >= maxStreams) {
    const message = `MCP event subscription limit of ${maxStreams} reached`;
    throw new RpcError({ code: ErrorCode.overloaded, message });
  }
  const stop = new AbortController();
  own.set(subscriptionId, stop);
  const begun = Promise.withResolvers<void>();
  const late = setTimeout(() => stop.abort(new Error("MCP event stream startup timed out")), startupMs);
  let isOver = false;
  const forward = (method: string, params: unknown) => {
    if (isOver) return;
    isOver = method === terminated;
    connection.notify("mcpServer/event/stream/notification", {
      subscriptionId,
      notification: { method, params: params ?? {} },
    });
    if (method === active) begun.resolve();
  };
  const asked = { name, arguments: args, ...(isTable(meta) && { _meta: meta }) };
  void server
    .events(asked, { signal: stop.signal, onEvent: forward })
    .then(
      () => begun.reject(internalError("MCP event stream ended before becoming active")),
      (error: unknown) => begun.reject(failed(params.server, error)),
    )
    .finally(() => {
      own.delete(subscriptionId);
      // A client that stops a stream knows.
      if (!stop.signal.aborted) forward(terminated, {});
    });
  try {
    await begun.promise;
  } catch (error) {
    isOver = true;
    throw error;
  } finally {
    clearTimeout(late);
  }
}

/** Stops a stream, if there is one. */
export function stopEventStream(connection: Client, subscriptionId: string): void {
  const own = streamsOf(connection);
  own.get(subscriptionId)?.abort();
  own.delete(subscriptionId);
}

function failed(server: string, error: unknown): RpcError {
  const why = errorMessage(error);
  return internalError(`failed to start MCP event stream for '${server}': ${why}`);
}
