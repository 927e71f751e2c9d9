import type { TurnEnd } from "./feature.ts";
import type { Thread } from "./thread.ts";

/** Has an idle thread begin the work that waits for it. `end`: that of the turn just before, if there was one. */
export function continueThread(thread: Thread, end?: TurnEnd): void {
  if (!thread.closing && !thread.active && !thread.ephemeral) thread.features.next(thread.id, end);
}
