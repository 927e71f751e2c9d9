import { service } from "../../context/services.ts";
import { message, tagged, text } from "../../prompt/message.ts";
import type { Thread } from "../../thread/thread.ts";
import { type AgentStatus, statusOf } from "./agent-status.ts";

/** True while an agent's parent has not heard of its end. */
const expected = service((_: Thread) => ({ end: false }));

/** Reports an agent's end to its parent, once. */
export function expectEnd(child: Thread): void {
  child.services.get(expected).end = true;
}

/** A turn of an agent has ended: where that is an outcome, its parent's model hears of it. */
export function turnEnded(child: Thread): void {
  const status = statusOf(child);
  // An interrupted agent may be continued.
  if (typeof status === "object" && !child.closing) notifyParent(child, status);
}

/** An agent is closed before it came to an end. */
export function agentClosed(child: Thread): void {
  notifyParent(child, "shutdown");
}

function notifyParent(child: Thread, status: AgentStatus): void {
  const awaited = child.services.made(expected);
  if (!awaited?.end) return;
  awaited.end = false;
  const parent = child.core.threads.get(child.record.meta.quire?.parentThreadId ?? "");
  if (!parent || parent.closing) return;
  const words = JSON.stringify({ agent_path: child.id, status });
  const notice = message("user", [text(tagged("subagent_notification", words))]);
  try {
    if (parent.active) parent.active.notes.push(notice);
    else parent.inject([notice]);
  } catch (error) {
    // Another process may be writing to the parent now; its model then finds out when it asks.
    child.core.server.log.warn(`thread ${parent.id} was not notified of the end of agent ${child.id}`, error);
  }
}
