import { untilAborted } from "@quire/client/link";
import type { Issue } from "./issue.ts";
import type { Tracker } from "./tracker.ts";

interface Asked {
  readonly ids: readonly string[];
  readonly signal: AbortSignal;
  readonly resolve: (issues: readonly Issue[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The same tracker, but issues asked for while others are fetched are fetched together, by one call as soon as that one is
 * over: runs whose turns end at about the same time cost one request, not one each.
 */
export function batchLookups(tracker: Tracker): Tracker {
  let queue: Asked[] = [];
  let busy = false;

  async function work(): Promise<void> {
    busy = true;
    while (queue.length > 0) {
      const batch = queue.filter(({ signal }) => !signal.aborted);
      queue = [];
      if (batch.length > 0) await answer(batch);
    }
    busy = false;
  }

  async function answer(batch: readonly Asked[]): Promise<void> {
    const { signal, forget } = allAborted(batch.map((asked) => asked.signal));
    try {
      const ids = [...new Set(batch.flatMap((asked) => asked.ids))];
      const issues = await tracker.fetchIssuesByIds(ids, { signal });
      const byId = new Map(issues.map((issue) => [issue.id, issue]));
      for (const { ids: own, resolve } of batch) resolve(own.flatMap((id) => byId.get(id) ?? []));
    } catch (error) {
      const [only, ...more] = batch;
      if (more.length === 0) only?.reject(error);
      // One issue that cannot be read must not fail the others.
      else for (const each of batch) await answer([each]);
    } finally {
      forget();
    }
  }

  return {
    profile: tracker.profile,
    scope: tracker.scope,
    secretEnvNames: tracker.secretEnvNames,
    secrets: tracker.secrets,
    writer: tracker.writer,
    fetchIssuesByStates: (states, call) => tracker.fetchIssuesByStates(states, call),
    tools: (session) => tracker.tools(session),
    close: async () => tracker.close?.(),
    async fetchIssuesByIds(ids, { signal = new AbortController().signal } = {}) {
      if (ids.length === 0) return [];
      const answered = new Promise<readonly Issue[]>((resolve, reject) => {
        queue.push({ ids: [...new Set(ids)], signal, resolve, reject });
      });
      if (!busy) void work();
      return untilAborted(answered, signal);
    },
  };
}

/** A signal that is aborted when nobody waits any more. `forget` takes off its listeners, which would stay with others. */
function allAborted(signals: readonly AbortSignal[]): { readonly signal: AbortSignal; forget(): void } {
  const all = new AbortController();
  const look = () => {
    if (signals.every(({ aborted }) => aborted)) all.abort();
  };
  for (const signal of signals) signal.addEventListener("abort", look, { once: true });
  look();
  const forget = (): void => {
    for (const signal of signals) signal.removeEventListener("abort", look);
  };
  return { signal: all.signal, forget };
}
