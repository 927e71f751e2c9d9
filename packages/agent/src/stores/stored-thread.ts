import type { Evaluation } from "../evaluate/evaluation.ts";
import { AgentError } from "../lib/agent-error.ts";
import { isPlainObject } from "../lib/frozen-copy.ts";
import type { Store } from "./store.ts";

/** A thread as a store keeps it: pass it to `evaluate()` as `resume` or `fork`. */
export type ThreadReference = Pick<Evaluation<unknown>, "threadId" | "toolsFingerprint">;

/**
 * Keeps the thread of an evaluation under a key, so that a later program can continue it:
 *
 * ```ts
 * await saveThread(store, "ticket-12", await agent.evaluate(bound, { resume: await loadThread(store, "ticket-12") }));
 * ```
 */
export async function saveThread(store: Store, key: string, thread: ThreadReference): Promise<void> {
  const { threadId, toolsFingerprint } = thread;
  await store.write(key, JSON.stringify({ threadId, toolsFingerprint }));
}

/** The thread that is kept under a key; undefined where there is none. */
export async function loadThread(store: Store, key: string): Promise<ThreadReference | undefined> {
  const stored = await store.read(key);
  if (!stored) return undefined;
  const value = parsed(stored.text);
  if (!isPlainObject(value) || typeof value.threadId !== "string" || typeof value.toolsFingerprint !== "string")
    throw new AgentError(`"${key}" holds no thread: saveThread() writes one`);
  return { threadId: value.threadId, toolsFingerprint: value.toolsFingerprint };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
