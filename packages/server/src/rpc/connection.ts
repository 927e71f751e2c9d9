import {
  Connection,
  ConnectionError,
  highWaterMark,
  type RequestContext,
  type RequestId,
  type Transport,
} from "@quire/jsonrpc";
import type { ClientMethods, ServerNotifications, ServerRequests } from "@quire/protocol";
import type { Client, SentRequest } from "../context/client.ts";
import type { ClientFacts } from "../context/client-facts.ts";
import { remoteControlStatus } from "../context/remote-control-status.ts";
import type { NodeAddress, ServerContext } from "../context/server-context.ts";
import { Services } from "../context/services.ts";
import { maxNesting } from "../lib/bounded-json.ts";
import { invalidRequest, methodNotFound } from "../lib/rpc-errors.ts";
import type { Dispatch } from "./dispatch.ts";
import { initializeReply, isForwarded, readInitialize } from "./handshake.ts";
import { HeldMessages, threadOf } from "./held-messages.ts";
import type { LinkedClient } from "./node-link.ts";
import { type Forwarded, NodeLinks } from "./node-links.ts";

/** Requests of one client at once; one more is answered -32001. */
const maxRunningRequests = 1024;
/** Unsent bytes kept for a client that does not read; beyond this it is cut off. */
const maxUnsentBytes = 64 * 1024 * 1024;

/** A client's connection: handshake, subscriptions and transport. Owned by the server, ends with its transport. */
export class ClientConnection implements Client {
  readonly services: Services<Client> = new Services<Client>(this);
  readonly #rpc: Connection<ClientMethods>;
  readonly #server: ServerContext;
  readonly #dispatch: Dispatch;
  #facts: ClientFacts | undefined;
  readonly #onEnd = new Set<() => void>();
  readonly #held: HeldMessages;
  readonly #links: NodeLinks;
  #initializeParams: unknown;
  /** True for a server that sends on what its clients ask for. */
  #isForwarded = false;

  constructor(server: ServerContext, dispatch: Dispatch, transport: Transport) {
    this.#server = server;
    this.#dispatch = dispatch;
    this.#held = new HeldMessages((threadId) => server.threads?.stored(threadId));
    this.#links = new NodeLinks(this.#linked(), (threadId) => server.threads?.elsewhere(threadId));
    this.#rpc = new Connection<ClientMethods>(transport, {
      answerMalformed: true,
      maxRunningRequests,
      maxNesting,
      maxUnsentBytes,
      onRequest: (params, request) => this.#serve(params, request),
      onHandlerError: (error, method) => server.log.error(`${method} failed`, error),
      onMalformed: (text, error) =>
        server.log.warn(`malformed message (${error.message}): ${JSON.stringify(text.slice(0, 200))}`),
      onClose: (error) => this.#ended(error),
    });
  }

  get facts(): ClientFacts | undefined {
    return this.#facts;
  }

  get experimental(): boolean {
    return this.#facts?.experimental === true;
  }

  get closed(): Promise<ConnectionError | undefined> {
    return this.#rpc.closed;
  }

  /** Resolves when no request of the client is pending. */
  idle(): Promise<void> {
    return this.#rpc.idle();
  }

  get open(): boolean {
    return this.#rpc.open;
  }

  notify<M extends keyof ServerNotifications>(
    method: M,
    params: ServerNotifications[M],
    emittedAtMs: number = Date.now(),
  ): void {
    const holds = this.#server.threads?.holds === true;
    if (holds && this.#held.hold(threadOf(params), () => this.#notify(method, params, emittedAtMs))) return;
    this.#notify(method, params, emittedAtMs);
  }

  #notify<M extends keyof ServerNotifications>(method: M, params: ServerNotifications[M], emittedAtMs: number): void {
    const facts = this.#facts;
    if (facts === undefined || facts.optedOut.has(method) || !this.#rpc.open || !this.#knows(method, params)) return;
    try {
      const message = { method, params: this.#dispatch.fullParams(method, params), emittedAtMs };
      this.#rpc.notifyMessage(message);
    } catch (error) {
      if (!ConnectionError.is(error)) throw error;
      this.#server.log.warn(`client ${facts.name} was disconnected: ${error.message}`);
      void this.#rpc.close();
    }
  }

  ask<M extends keyof ServerRequests>(
    method: M,
    params: ServerRequests[M]["params"],
    signal: AbortSignal,
  ): SentRequest<ServerRequests[M]["result"]> {
    let id: RequestId = -1;
    const onSent = (given: RequestId) => {
      id = given;
    };
    // The table's params are a union that only the caller can narrow.
    const answer = this.#rpc.request(method, this.#dispatch.fullParams(method, params) as never, {
      signal,
      onSent,
    }) as Promise<ServerRequests[M]["result"]>;
    return { id, answer };
  }

  drained(): Promise<void> | undefined {
    return this.#rpc.unsent > highWaterMark ? this.#rpc.drain() : undefined;
  }

  onEnd(callback: () => void): () => void {
    this.#onEnd.add(callback);
    return () => this.#onEnd.delete(callback);
  }

  close(): Promise<void> {
    return this.#rpc.close();
  }

  /** False for what came after the Codex that this server stands for. */
  #knows(method: string, params?: unknown): boolean {
    const { compat } = this.#server;
    if (compat === undefined) return true;
    const { item } = (params ?? {}) as { readonly item?: { readonly type?: string } };
    return compat.hasMethod(method) && (item?.type === undefined || compat.hasItem(item.type));
  }

  #serve(params: unknown, { id, method, signal }: RequestContext): unknown {
    if (method === "initialize") return this.#initialize(params);
    if (this.#facts === undefined) throw invalidRequest("Not initialized");
    if (!this.#knows(method)) throw methodNotFound(method);
    const scope = { id, connection: this, server: this.#server, signal };
    if (!this.#dispatch.mayShare) return this.#dispatch.handle(method, params, scope);
    const here = () => {
      const result = this.#dispatch.handle(method, params, scope);
      return this.#server.threads?.holds === false ? result : this.#held.reply(result, params);
    };
    const threadId = this.#isForwarded ? undefined : threadOf(params);
    return threadId === undefined ? here() : this.#hereOrElsewhere(here, { method, params, threadId });
  }

  /** This client, as its links to other servers see it. */
  #linked(): LinkedClient {
    const connection = this;
    return {
      get initializeParams() {
        return connection.#initializeParams;
      },
      pass: (method, params) => this.#notify(method as never, params as never, Date.now()),
      ask: (method, params, options) => this.#rpc.request(method as never, params as never, options),
      lost: (threadIds) => {
        for (const threadId of threadIds) {
          this.#notify("thread/status/changed", { threadId, status: { type: "notLoaded" } }, Date.now());
          this.#notify("thread/closed", { threadId }, Date.now());
        }
      },
    };
  }

  /** Serves a request about a thread, or has the server do it that has the thread. */
  #hereOrElsewhere(here: () => unknown, request: Forwarded): unknown {
    const elsewhere = () => this.#server.threads?.elsewhere(request.threadId);
    const forward = (node: NodeAddress) => this.#links.request(node, request);
    const followed = this.#links.following(request.threadId);
    if (followed) return forward(followed);
    if (this.#server.threads !== undefined)
      return elsewhere()?.then((node) => (node ? forward(node) : here())) ?? here();
    const result = here();
    if (!(result instanceof Promise)) return result;
    // The first such request: only now it is known where threads are.
    return result.catch(async (error: unknown) => {
      const node = await elsewhere();
      if (node) return forward(node);
      throw error;
    });
  }

  #initialize(params: unknown): unknown {
    if (this.#facts !== undefined) throw invalidRequest("Already initialized");
    this.#facts = readInitialize(params);
    this.#initializeParams = params;
    this.#isForwarded = isForwarded(params);
    this.#server.greeted(this);
    // Every client hears it right after the reply, and may rely on that. The reply does not wait for it to be found out.
    const tell = () => this.notify("remoteControl/status/changed", remoteControlStatus(this.#server));
    queueMicrotask(() => setImmediate(tell));
    this.#dispatch.loadAhead();
    return initializeReply(this.#facts, this.#server);
  }

  #ended(error: ConnectionError | undefined): void {
    // A client that closes its connection knows. One that is cut off does not, nor does the server's operator.
    if (error) this.#server.log[error.code === "closed" ? "info" : "error"](`connection ended: ${error.message}`);
    for (const callback of this.#onEnd) callback();
    this.#onEnd.clear();
    void this.#links.close();
  }
}
