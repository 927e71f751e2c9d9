import { RpcError, type ServerPort } from "@quire/client";
import type { QueuedSubmission } from "@quire/protocol";
import { supports } from "@quire/protocol/versions";

/** Messages of a queue that are shown; nobody reads more. */
const shownLimit = 100;

/** What waits at the server until a thread has time for it. Every client of the server sees the same. */
export class ThreadQueue {
  /** In the order in which they get their turns; null where the server keeps no queue, or is not asked yet. */
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

  /** Asks the server what waits. A later call wins over an earlier one. */
  async load(): Promise<void> {
    const version = this.#port.serverVersion;
    if (version !== undefined && supports("thread/queue/list", version) === false) return;
    const load = ++this.#loads;
    try {
      const params = { threadId: this.#threadId, limit: shownLimit };
      const { data } = await this.#port.request("thread/queue/list", params);
      if (load === this.#loads) this.#set(data);
    } catch (error) {
      // A link that is down tells nothing; a refusal means that nothing can wait there.
      if (load === this.#loads && RpcError.is(error)) this.#set(null);
    }
  }

  /** Takes one out of sight that is known to be gone: the server says so a moment later. */
  forget(id: string): void {
    if (this.messages !== null) this.#set(this.messages.filter((message) => message.id !== id));
  }

  #set(messages: readonly QueuedSubmission[] | null): void {
    this.messages = messages;
    this.#changed();
  }
}
