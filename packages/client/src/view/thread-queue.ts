import { RpcError } from "@quire/jsonrpc";
import type { QueuedSubmission } from "@quire/protocol";
import { supports } from "@quire/protocol/versions";
import type { ServerPort } from "../port/server-port.ts";

/** Bound on the messages that are loaded; nobody reads more. */
const queueLimit = 100;

/** The messages that wait at the server until a thread is idle. All clients of the server see the same queue. */
export class ThreadQueue {
  /** In the order of their turns; null where the server keeps no queue, or before {@link load}. */
  messages: readonly QueuedSubmission[] | null = null;
  readonly #threadId: string;
  readonly #port: ServerPort;
  readonly #changed: () => void;
  #loads = 0;

  constructor(threadId: string, port: ServerPort, changed: () => void) {
    this.#threadId = threadId;
    this.#port = port;
    this.#changed = changed;
  }

  /** Loads the queue. The latest call wins. */
  async load(): Promise<void> {
    const version = this.#port.serverVersion;
    if (version !== undefined && supports("thread/queue/list", version) === false) return;
    const load = ++this.#loads;
    try {
      const params = { threadId: this.#threadId, limit: queueLimit };
      const { data } = await this.#port.request("thread/queue/list", params);
      if (load === this.#loads) this.#set(data);
    } catch (error) {
      // A lost connection says nothing about the queue; a refusal means that the server keeps none.
      if (load === this.#loads && RpcError.is(error)) this.#set(null);
    }
  }

  /** Removes a message at once, ahead of the server's notification. */
  forget(id: string): void {
    if (this.messages !== null) this.#set(this.messages.filter((message) => message.id !== id));
  }

  #set(messages: readonly QueuedSubmission[] | null): void {
    this.messages = messages;
    this.#changed();
  }
}
