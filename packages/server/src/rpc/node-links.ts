import { RpcError } from "@quire/jsonrpc";
import type { NodeAddress } from "../context/server-context.ts";
import { errorMessage } from "../lib/error-message.ts";
import { internalError } from "../lib/rpc-errors.ts";
import type { LinkedClient, NodeLink } from "./node-link.ts";

/** A request for another server. */
export interface Forwarded {
  readonly method: string;
  readonly params: unknown;
  readonly threadId: string;
}

/** One client's links to the other servers of the database, made as they are needed. */
export class NodeLinks {
  readonly #client: LinkedClient;
  readonly #links = new Map<string, Promise<NodeLink>>();

  constructor(client: LinkedClient) {
    this.#client = client;
  }

  /** Sends a request to the server that has the thread. */
  async request(node: NodeAddress, { method, params, threadId }: Forwarded): Promise<unknown> {
    try {
      return await (await this.#link(node)).request(method, params, threadId);
    } catch (error) {
      if (RpcError.is(error)) throw error;
      const remedy = "resume the thread; it goes on here once that server's lease is over";
      throw internalError(
        `${node.name}, which has thread ${threadId}, cannot be reached: ${errorMessage(error)}; ${remedy}`,
      );
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#links.values()].map(async (link) => (await link).close()));
  }

  #link(node: NodeAddress): Promise<NodeLink> {
    const known = this.#links.get(node.id);
    if (known) return known;
    const link = import("./node-link.ts").then(
      ({ NodeLink }) => new NodeLink(this.#client, node, () => this.#links.delete(node.id)),
    );
    this.#links.set(node.id, link);
    return link;
  }
}
