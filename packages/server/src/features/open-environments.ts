import { Environments } from "../run/environments/environments.ts";
import type { LoadedThreads } from "../thread/core.ts";
import type { Thread } from "../thread/thread.ts";

/** The environments of a server. Threads in one are notified when it is lost and comes back. */
export function openEnvironments(threads: LoadedThreads<Thread>): Environments {
  return new Environments((environmentId, state) => {
    for (const threadId of threads.ids) {
      const thread = threads.get(threadId);
      if (thread?.settings.environment !== environmentId) continue;
      if (state === "connected") thread.notify("thread/environment/connected", { threadId, environmentId });
      else thread.notify("thread/environment/disconnected", { threadId, environmentId });
    }
  });
}
