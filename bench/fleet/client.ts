import { type AnyMethods, Connection } from "@quire/jsonrpc";
import { connectWebSocket } from "@quire/jsonrpc/websocket";
import type { Thread, ThreadItem, Turn } from "@quire/protocol";

/** Everything that clients were told of a thread, whichever server told them. */
export interface ToldThread {
  readonly id: string;
  /** Completed items, by turn and item. */
  readonly items: Map<string, ThreadItem>;
  readonly turns: Map<string, Turn["status"]>;
}

/** A client of one server, which notes what it is told of some threads. */
export class FleetClient {
  readonly rpc: Connection<AnyMethods>;
  readonly #threads: ReadonlyMap<string, ToldThread>;
  readonly #ended = new Map<string, () => void>();

  private constructor(rpc: Connection<AnyMethods>, threads: ReadonlyMap<string, ToldThread>) {
    this.rpc = rpc;
    this.#threads = threads;
    rpc.on("item/completed", (params) => {
      const { threadId, turnId, item } = params as { threadId: string; turnId: string; item: ThreadItem };
      this.#threads.get(threadId)?.items.set(`${turnId}/${item.id}`, item);
    });
    rpc.on("turn/completed", (params) => {
      const { threadId, turn } = params as { threadId: string; turn: Turn };
      // A server that has lost the thread says that its turn has failed; what it was is for the log to say.
      if (turn.status === "completed") this.#threads.get(threadId)?.turns.set(turn.id, turn.status);
      this.#ended.get(threadId)?.();
    });
    rpc.on("thread/closed", (params) => this.#ended.get((params as { threadId: string }).threadId)?.());
  }

  static async connect(url: string, threads: ReadonlyMap<string, ToldThread>): Promise<FleetClient> {
    const rpc = new Connection<AnyMethods>(await connectWebSocket(url));
    const clientInfo = { name: "fleet", version: "1" };
    await rpc.request("initialize", { clientInfo, capabilities: { experimentalApi: true } });
    return new FleetClient(rpc, threads);
  }

  /** Starts a thread on this client's server. */
  async newThread(): Promise<string> {
    return ((await this.rpc.request("thread/start", {})) as { thread: Thread }).thread.id;
  }

  /** Runs a turn until it has ended, or until the connection has. Says what kept it from beginning. */
  async turn(threadId: string, text: string, isNew = false): Promise<string | undefined> {
    const ended = new Promise<void>((resolve) => this.#ended.set(threadId, resolve));
    try {
      if (!isNew) await this.rpc.request("thread/resume", { threadId, excludeTurns: true }, { timeoutMs: 10_000 });
      await this.rpc.request("turn/start", { threadId, input: [{ type: "text", text }] }, { timeoutMs: 10_000 });
    } catch (error) {
      return (error as Error).message;
    }
    await Promise.race([ended, this.rpc.closed, Bun.sleep(15_000)]);
    return undefined;
  }

  close(): Promise<void> {
    return this.rpc.close();
  }
}
