import type { NotificationMessage } from "@quire/jsonrpc";
import type { ServerNotification } from "@quire/protocol";
import type { ThreadRegistry } from "./thread-registry.ts";
import type { ThreadState } from "./thread-state.ts";

/** Events held for a consumer that does not keep up; the oldest are let go beyond it. */
const maxHeld = 10_000;

/** Options of {@link threadEvents}. */
export interface ThreadEventsOptions {
  /** Also the events of its sub-agents' threads, and of theirs. `params.threadId` tells them apart. */
  readonly children?: boolean | undefined;
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}

/** Everything that happens in a thread from now on, whoever caused it, until the consumer stops or the client ends. */
export async function* threadEvents(
  registry: ThreadRegistry,
  state: ThreadState,
  options: ThreadEventsOptions,
  ended: Promise<unknown>,
): AsyncGenerator<ServerNotification, void, undefined> {
  const held: NotificationMessage[] = [];
  const listening = new Set<ThreadState>();
  let wake = () => {};
  let over = options.signal?.aborted ?? false;
  const stop = () => {
    over = true;
    wake();
  };
  const receive = (message: NotificationMessage) => {
    held.push(message);
    if (held.length > maxHeld) held.splice(0, maxHeld >> 1);
    if (options.children) listen();
    wake();
  };
  const listen = (from = state) => {
    if (!listening.has(from)) {
      listening.add(from);
      from.listeners.add(receive);
    }
    if (options.children) for (const id of from.children) if (!listening.has(registry.of(id))) listen(registry.of(id));
  };
  listen();
  options.signal?.addEventListener("abort", stop, { once: true });
  void ended.then(stop);
  try {
    while (!over || held.length > 0) {
      const next = held.shift();
      if (next) yield next as ServerNotification;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  } finally {
    options.signal?.removeEventListener("abort", stop);
    for (const each of listening) each.listeners.delete(receive);
  }
}
