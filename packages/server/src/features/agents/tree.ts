import type { SessionMeta } from "../../record/rollout-line.ts";
import type { ThreadSummary } from "../../store/thread-store.ts";
import type { Thread } from "../../thread/thread.ts";

/** Bound of the walk from an agent to the thread that asks for it: deeper than any tree is. */
const maxSteps = 32;

/** The agents of a thread that are loaded. */
export function childrenOf(parent: Thread): Thread[] {
  const { threads } = parent.core;
  return threads.ids.flatMap((id) => {
    const thread = threads.get(id);
    return thread && startedBy(originOf(thread.record.meta)) === parent.id ? [thread] : [];
  });
}

/** An agent that is loaded, if the thread or an agent below it started it: a model reaches no other threads. */
export function loadedAgent(parent: Thread, id: string): Thread | undefined {
  const { threads } = parent.core;
  const found = threads.get(id);
  let above: Thread | undefined = found;
  for (let step = 0; above && step < maxSteps; step++) {
    const starter = startedBy(originOf(above.record.meta));
    if (starter === parent.id) return found;
    above = threads.get(starter ?? "");
  }
  return undefined;
}

/** True when the thread or an agent below it started the other, which may be stored only. */
export async function isAgentOf(parent: Thread, id: string): Promise<boolean> {
  const { threads, store } = parent.core;
  let above: string | undefined = id;
  for (let step = 0; above !== undefined && step < maxSteps; step++) {
    const loaded = threads.get(above);
    // By the index: a model could name any thread, also one that takes long to read.
    const origin: Origin | undefined = loaded ? originOf(loaded.record.meta) : await store.summary(above);
    above = origin && startedBy(origin);
    if (above === parent.id) return true;
  }
  return false;
}

type Origin = Pick<ThreadSummary, "parentThreadId" | "forkedFromId">;

const originOf = ({ quire, forked_from_id: copied }: SessionMeta): Origin => ({
  parentThreadId: quire?.parentThreadId ?? null,
  forkedFromId: copied ?? null,
});

/** The thread whose model started this one. A copy of an agent belongs to the user who made it. */
function startedBy({ parentThreadId, forkedFromId }: Origin): string | undefined {
  return forkedFromId === null ? (parentThreadId ?? undefined) : undefined;
}
