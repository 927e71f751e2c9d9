import type { Feature } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import { startQueued } from "./start-queued.ts";

/** Begins the turns of messages that wait until their thread has time for them. */
export const queue: Feature<Thread> = {
  next: (thread) => {
    const [first] = thread.core.state.existing?.queue.list(thread.id) ?? [];
    if (first) startQueued(thread, first);
    return first !== undefined;
  },
};
