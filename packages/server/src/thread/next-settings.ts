import type { WorkSettings } from "./active-turn.ts";
import type { Thread } from "./thread.ts";

/** The settings of a thread's next turn. They are those that clients see, also while a turn keeps earlier ones. */
export function nextSettings(thread: Thread): WorkSettings {
  return thread.active?.next ?? thread;
}
