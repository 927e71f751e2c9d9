import type { UserInput } from "@quire/protocol";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { TurnOverrides } from "../state/actions.ts";
import { messageOf } from "../state/message-of.ts";
import type { ThreadKey, ThreadState } from "../state/model.ts";
import { composeWords } from "../words/words.ts";
import { localId } from "./local-id.ts";
import type { MessageQueue, QueuedMessage } from "./message-queue.ts";

/** More than that is a programme, not a follow-up. */
const maxQueued = 20;
const storageKey = "quire:queue";
const none: readonly QueuedMessage[] = [];
const listeners = new Set<() => void>();
let queues: ReadonlyMap<string, readonly QueuedMessage[]> | undefined;

/** The messages that wait in this tab for a thread, by its `keyText`. They survive a reload, not the tab. */
function readQueue(thread: string): readonly QueuedMessage[] {
  return all().get(thread) ?? none;
}

/** Puts a message at the end. Throws where the queue is full. */
function enqueue(thread: string, input: readonly UserInput[], overrides: TurnOverrides): void {
  const queue = readQueue(thread);
  if (queue.length >= maxQueued) {
    throw new Error(composeWords.messagesWaitAlreadyRemoveLet(maxQueued));
  }
  write(thread, [...queue, { id: localId(), input, overrides, error: null }]);
}

/** Takes a message out; false where it is gone already. */
function dequeue(thread: string, id: string): boolean {
  const queue = readQueue(thread);
  const rest = queue.filter((each) => each.id !== id);
  if (rest.length < queue.length) write(thread, rest);
  return rest.length < queue.length;
}

/** Puts the messages that still wait into an order; those it does not name stay behind. */
function order(thread: string, ids: readonly string[]): void {
  const place = ({ id }: QueuedMessage) => (ids.includes(id) ? ids.indexOf(id) : ids.length);
  write(
    thread,
    [...readQueue(thread)].sort((a, b) => place(a) - place(b)),
  );
}

/** The page's own queue of a thread, by its `keyText`. */
export function usePageQueue(thread: string): MessageQueue {
  const messages = useSyncExternalStore(subscribe, () => readQueue(thread));
  return useMemo(
    () => ({
      messages,
      add: async (input, overrides) => enqueue(thread, input, overrides),
      take: async (id) => dequeue(thread, id),
      order: async (ids) => order(thread, ids),
    }),
    [thread, messages],
  );
}

/** Sends a queued message. */
export type SendQueued = (key: ThreadKey, input: readonly UserInput[], overrides: TurnOverrides) => Promise<void>;

/**
 * Sends the next queued message of every open thread that is idle. To be mounted once in the page, so that threads that
 * are not in view continue as well. One that fails goes back to the front with its reason, and nothing behind it is sent.
 * After a turn that was stopped they wait for the next one.
 */
export function useQueueRunner(open: ReadonlyMap<string, ThreadState>, send: SendQueued): void {
  const waiting = useSyncExternalStore(subscribe, all);
  const busy = useRef(new Set<string>());
  useEffect(() => {
    for (const [thread, queue] of waiting) {
      const state = open.get(thread);
      const next = queue[0];
      if (state === undefined || next === undefined || next.error !== null || busy.current.has(thread)) continue;
      // Until it is loaded, nobody knows whether a turn runs, or how the last one ended.
      if (state.loading || state.summary.status !== "idle" || state.activeTurn !== null) continue;
      // Who stopped a turn wants to look first.
      if (state.turns.at(-1)?.status === "interrupted") continue;
      busy.current.add(thread);
      dequeue(thread, next.id);
      send(state.summary.key, next.input, next.overrides)
        .catch((error: unknown) => {
          write(thread, [{ ...next, error: messageOf(error) }, ...readQueue(thread)]);
        })
        .finally(() => busy.current.delete(thread));
    }
  }, [open, waiting, send]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function all(): ReadonlyMap<string, readonly QueuedMessage[]> {
  queues ??= stored();
  return queues;
}

function stored(): ReadonlyMap<string, readonly QueuedMessage[]> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(storageKey) ?? "[]") as [string, QueuedMessage[]][]);
  } catch {
    return new Map();
  }
}

function write(thread: string, queue: readonly QueuedMessage[]): void {
  const next = new Map(all());
  if (queue.length === 0) next.delete(thread);
  else next.set(thread, queue);
  queues = next;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify([...next]));
  } catch {
    // Images can be too much for the storage: then the queue lives as long as the page.
  }
  for (const listener of listeners) listener();
}
