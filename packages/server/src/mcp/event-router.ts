import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { isTable } from "../lib/table.ts";

/** Options of an event stream. */
export interface EventOptions {
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
}

type OnEvent = (method: string, params: unknown) => void;

interface Stream {
  readonly onEvent: OnEvent;
  /** The id of the request, by which the server names the stream. */
  id: unknown;
}

const subscriptionKey = "io.modelcontextprotocol/subscriptionId";

/** Routes the events of one MCP server: several streams share one connection. */
export class EventRouter {
  readonly #streams = new Map<object, Stream>();

  /** Learns the ids of requests as they are sent. */
  watch(transport: Transport): void {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      const { id, params } = message as { readonly id?: unknown; readonly params?: object };
      const stream = params && this.#streams.get(params);
      if (stream) stream.id = id;
      return send(message, options);
    };
  }

  /** @param params The request's params, the very object. The returned function ends the stream. */
  add(params: object, onEvent: OnEvent): () => void {
    this.#streams.set(params, { onEvent, id: undefined });
    return () => this.#streams.delete(params);
  }

  /** An event without a stream goes to the only one, if there is one. */
  route(method: string, params: unknown): void {
    if (!method.startsWith("notifications/events/")) return;
    const meta = isTable(params) && isTable(params._meta) ? params._meta : {};
    const meant = meta[subscriptionKey];
    const all = [...this.#streams.values()];
    const stream = meant === undefined ? (all.length === 1 ? all[0] : undefined) : all.find(({ id }) => id === meant);
    stream?.onEvent(method, params);
  }
}
