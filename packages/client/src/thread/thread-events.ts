import type { NotificationMessage } from "@quire/jsonrpc";
import type { ServerNotification } from "@quire/protocol";
import { Feed } from "../lib/feed.ts";
import { onAbort } from "../lib/on-abort.ts";
import { onEnded } from "../port/on-ended.ts";
import type { ServerPort } from "../port/server-port.ts";
import type { ThreadRegistry } from "./thread-registry.ts";
import type { ThreadState } from "./thread-state.ts";

/** Events held for a consumer that does not keep up; the oldest are released beyond it. */
const maxHeld = 10_000;

/** Options of {@link threadEvents}. */
export interface ThreadEventsOptions {
  /** Also the events of its sub-agents' threads, and of theirs. `params.threadId` tells them apart. */
  readonly children?: boolean | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}

/** The parts of the client that listening to a thread needs. */
export interface ThreadEventsHost {
  readonly registry: ThreadRegistry;
  readonly port: ServerPort;
}

/** All later notifications of a thread, including those of other clients, until the consumer stops or the client ends. */
export class ThreadEvents extends Feed<ServerNotification> {
  readonly #registry: ThreadRegistry;
  readonly #options: ThreadEventsOptions;
  readonly #held: NotificationMessage[] = [];
  readonly #listening = new Set<ThreadState>();
  readonly #forgetEnd: () => void;
  readonly #letGo: (() => void) | undefined;
  readonly #forgetSignal: (() => void) | undefined;
  readonly #receive = (message: NotificationMessage): void => {
    this.#held.push(message);
    if (this.#held.length > maxHeld) this.#held.splice(0, maxHeld >> 1);
    if (this.#options.children) for (const state of this.#listening) this.#listen(state);
    this.wake();
  };
  readonly #end = (): void => this.finish();

  constructor({ registry, port }: ThreadEventsHost, state: ThreadState, options: ThreadEventsOptions) {
    super();
    this.#registry = registry;
    this.#options = options;
    this.#forgetEnd = onEnded(port, this.#end);
    this.#letGo = port.hold?.();
    this.#listen(state);
    this.#forgetSignal = options.signal && onAbort(options.signal, this.#end);
    if (options.signal?.aborted) this.finish();
  }

  protected take(): ServerNotification | undefined {
    return this.#held.shift() as ServerNotification | undefined;
  }

  protected release(): void {
    this.#forgetEnd();
    this.#letGo?.();
    this.#forgetSignal?.();
    for (const state of this.#listening) state.listeners.delete(this.#receive);
  }

  /** Listens to the thread and, if asked, to its children; those that come later are found as events arrive. */
  #listen(state: ThreadState): void {
    this.#listening.add(state);
    state.listeners.add(this.#receive);
    if (!this.#options.children) return;
    for (const id of state.children) {
      const child = this.#registry.of(id);
      if (!this.#listening.has(child)) this.#listen(child);
    }
  }
}
