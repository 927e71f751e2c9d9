import { message, tagged, text } from "../../prompt/message.ts";
import type { Thread } from "../../thread/thread.ts";
import { type AgentStatus, statusOf } from "./agent-status.ts";

/** Agents whose end their parents have not heard of. */
const unheard = new WeakSet<Thread>();

/** Reports an agent's end to its parent, once. */
export function expectEnd(child: Thread): void {
  unheard.add(child);
}

/** A turn of an agent has ended: where that is an outcome, its parent's model hears of it. */
export function turnEnded(child: Thread): void {
  const status = statusOf(child);
  // An interrupted agent may be continued.
  if (typeof status === "object" && !child.closing) tell(child, status);
}

/** An agent is closed before it came to an end. */
export function agentClosed(child: Thread): void {
  tell(child, "shutdown");
}

function tell(child: Thread, status: AgentStatus): void {
  if (!unheard.delete(child)) return;
  const parent = child.core.threads.get(child.record.meta.quire?.parentThreadId ?? "");
  if (!parent || parent.closing) return;
  const words = JSON.stringify({ agent_path: child.id, status });
  const notice = message("user", [text(tagged("subagent_notification", words))]);
  try {
    if (parent.active) parent.active.notes.push(notice);
    else parent.inject([notice]);
  } catch (error) {
    // Another process may be writing to the parent now; its model then finds out when it asks.
    child.core.server.log.warn(`thread ${parent.id} could not be told of the end of agent ${child.id}`, error);
  }
}
