import { RpcError } from "@quire/jsonrpc";
import type { NodeAddress } from "../context/server-context.ts";
import { errorMessage } from "../lib/error-message.ts";
import { internalError } from "../lib/rpc-errors.ts";
import type { LinkedClient, NodeLink } from "./node-link.ts";

/** Pause between two looks at the lease of a server that has not answered. */
const watchMs = 1000;

/** A request for another server. */
export interface Forwarded {
  readonly method: string;
  readonly params: unknown;
  readonly threadId: string;
}

/** A client's links to the other servers of the database, made as they are needed. */
export class NodeLinks {
  readonly #client: LinkedClient;
  readonly #elsewhere: (threadId: string) => Promise<NodeAddress | undefined> | undefined;
  readonly #links = new Map<string, Promise<NodeLink>>();
  readonly #followed = new Map<string, NodeAddress>();

  /** @param elsewhere Says which living server has a thread. */
  constructor(client: LinkedClient, elsewhere: (threadId: string) => Promise<NodeAddress | undefined> | undefined) {
    this.#client = client;
    this.#elsewhere = elsewhere;
  }

  /** The server on which the client follows a thread: no database has to be asked for it. */
  following(threadId: string): NodeAddress | undefined {
    return this.#followed.get(threadId);
  }

  /** Sends a request to the server that has the thread. */
  async request(node: NodeAddress, { method, params, threadId }: Forwarded): Promise<unknown> {
    const link = await this.#link(node);
    // A server that is frozen keeps its connections, but not its lease.
    const watch = setInterval(() => void this.#closeIfGone(link, node, threadId), watchMs);
    try {
      const result = await link.request(method, params, threadId);
      this.#followed.set(threadId, node);
      return result;
    } catch (error) {
      if (RpcError.is(error)) throw error;
      const remedy = "resume the thread; it goes on here once that server's lease is over";
      throw internalError(
        `${node.name}, which has thread ${threadId}, cannot be reached: ${errorMessage(error)}; ${remedy}`,
      );
    } finally {
      clearInterval(watch);
    }
  }

  async #closeIfGone(link: NodeLink, node: NodeAddress, threadId: string): Promise<void> {
    const owner = await this.#elsewhere(threadId)?.catch(() => node);
    if (owner?.id !== node.id) await link.drop();
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#links.values()].map(async (link) => (await link).close()));
  }

  #ended(nodeId: string): void {
    this.#links.delete(nodeId);
    for (const [threadId, { id }] of this.#followed) if (id === nodeId) this.#followed.delete(threadId);
  }

  #link(node: NodeAddress): Promise<NodeLink> {
    const known = this.#links.get(node.id);
    if (known) return known;
    const link = import("./node-link.ts").then(
      ({ NodeLink }) =>
        new NodeLink(this.#client, node, {
          ended: () => this.#ended(node.id),
          closed: (threadId) => this.#followed.delete(threadId),
        }),
    );
    this.#links.set(node.id, link);
    return link;
  }
}
