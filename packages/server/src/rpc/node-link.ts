import { Connection, ConnectionError, type RequestId, RpcError } from "@quire/jsonrpc";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import type { NodeAddress } from "../context/server-context.ts";
import { errorMessage } from "../lib/error-message.ts";
import { internalError } from "../lib/rpc-errors.ts";
import { forwardedMark } from "./handshake.ts";

/** The client of this server for whom requests go to another one. */
export interface LinkedClient {
  /** The client's own `initialize` params. */
  readonly initializeParams: unknown;
  /** Sends a notification as it came. */
  pass(method: string, params: unknown): void;
  /** Asks the client. `onSent` gets the id that the client knows the question by. */
  ask(method: string, params: unknown, options: { signal: AbortSignal; onSent(id: RequestId): void }): Promise<unknown>;
  /** Threads that the client followed on a server that is gone. */
  lost(threadIds: readonly string[]): void;
}

/** Events of a link. */
interface LinkEvents {
  /** The link is over. */
  ended(): void;
  /** The other server has unloaded a thread. */
  closed(threadId: string): void;
}

interface OpenQuestion {
  readonly clientId: RequestId;
  readonly withdraw: AbortController;
}

/** A client's connection to another server of the same database, as if it had connected there. */
export class NodeLink {
  readonly #client: LinkedClient;
  readonly #followed = new Set<string>();
  readonly #questions = new Map<RequestId, OpenQuestion>();
  readonly #events: LinkEvents;
  readonly #dropped = new AbortController();
  readonly #connection: Promise<Connection>;

  constructor(client: LinkedClient, node: NodeAddress, events: LinkEvents) {
    this.#client = client;
    this.#events = events;
    this.#connection = this.#connect(node);
    // Told to each request.
    this.#connection.catch(() => undefined);
  }

  /** Sends a request on. Throws a ConnectionError when the server cannot be reached or goes away. */
  async request(method: string, params: unknown, threadId: string): Promise<unknown> {
    const connection = await this.#connection;
    const result = await connection.request(method, params as object);
    this.#followed.add(threadOfResult(result) ?? threadId);
    return result;
  }

  /** Ends the link for its client's sake. */
  close(): Promise<void> {
    this.#followed.clear();
    return this.drop();
  }

  /** Ends the link because the server is gone; the client hears which threads it no longer follows. */
  async drop(): Promise<void> {
    this.#dropped.abort(new ConnectionError("closed", "its lease is over"));
    await this.#connection.then(
      (open) => open.close(),
      () => undefined,
    );
  }

  async #connect({ url, token }: NodeAddress): Promise<Connection> {
    try {
      const { signal } = this.#dropped;
      const transport = await connectWebSocket(url, { headers: { Authorization: `Bearer ${token}` }, signal });
      const connection = new Connection(transport, {
        onRequest: (params, { id, method }) => this.#ask(id, method, params),
        onNotification: ({ method, params }) => this.#pass(method, params),
        onClose: () => this.#closed(),
      });
      await connection.request("initialize", marked(this.#client.initializeParams), { signal });
      connection.notify("initialized");
      return connection;
    } catch (error) {
      this.#events.ended();
      throw error;
    }
  }

  async #ask(id: RequestId, method: string, params: unknown): Promise<unknown> {
    const withdraw = new AbortController();
    const onSent = (clientId: RequestId) => void this.#questions.set(id, { clientId, withdraw });
    try {
      return await this.#client.ask(method, params, { signal: withdraw.signal, onSent });
    } catch (error) {
      throw RpcError.is(error) ? error : internalError(errorMessage(error));
    } finally {
      this.#questions.delete(id);
    }
  }

  /** Passes on what concerns threads: everything else the client hears from its own server. */
  #pass(method: string, params: unknown): void {
    const { threadId, requestId } = (params ?? {}) as { threadId?: unknown; requestId?: RequestId };
    if (typeof threadId !== "string" && method !== "thread/started") return;
    if (method === "thread/closed" && typeof threadId === "string") {
      this.#followed.delete(threadId);
      this.#events.closed(threadId);
    }
    if (method !== "serverRequest/resolved" || requestId === undefined) {
      this.#client.pass(method, params);
      return;
    }
    const question = this.#questions.get(requestId);
    if (!question) return;
    this.#client.pass(method, { ...(params as object), requestId: question.clientId });
    question.withdraw.abort();
  }

  #closed(): void {
    for (const { withdraw } of this.#questions.values()) withdraw.abort();
    this.#events.ended();
    if (this.#followed.size > 0) this.#client.lost([...this.#followed]);
  }
}

function threadOfResult(result: unknown): string | undefined {
  const { thread } = (result ?? {}) as { readonly thread?: { readonly id?: string } };
  return thread?.id;
}

function marked(params: unknown): object {
  const { capabilities, ...rest } = (params ?? {}) as { readonly capabilities?: object };
  return { ...rest, capabilities: { ...capabilities, [forwardedMark]: true } };
}
