import type { RequestId } from "@quire/jsonrpc";
import type { ClientRequests } from "@quire/protocol";
import type { Client } from "./client.ts";
import type { ServerContext } from "./server-context.ts";

/** The origin of a request and the means to answer it. */
export interface RequestScope {
  readonly id: RequestId;
  readonly connection: Client;
  readonly server: ServerContext;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
}

/** Answers one method. Throwing an RpcError is an answer too. */
type Handler<M extends keyof ClientRequests> = (
  params: ClientRequests[M]["params"],
  scope: RequestScope,
) => ClientRequests[M]["result"] | Promise<ClientRequests[M]["result"]>;

/** Handlers by method; what a processor file exports. */
export type Handlers = { readonly [M in keyof ClientRequests]?: Handler<M> };

/** A handler whose method is not known to the compiler. */
export type AnyHandler = (params: unknown, scope: RequestScope) => unknown;
