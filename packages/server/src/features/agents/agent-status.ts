import type { CollabAgentState, Turn } from "@quire/protocol";
import type { Thread } from "../../thread/thread.ts";

/** An agent's status for its parent's model. */
export type AgentStatus =
  | "pending_init"
  | "running"
  | "interrupted"
  | "shutdown"
  | "not_found"
  | { readonly completed: string | null }
  | { readonly errored: string };

/** Reads it off a thread. */
export function statusOf(thread: Thread | undefined): AgentStatus {
  if (thread === undefined) return "not_found";
  if (thread.active) return "running";
  const last = thread.record.turns.at(-1);
  return last === undefined ? "pending_init" : ended(last);
}

function ended(turn: Turn): AgentStatus {
  if (turn.status === "failed") return { errored: turn.error?.message ?? "the turn failed" };
  if (turn.status === "interrupted") return "interrupted";
  const message = turn.items.findLast((item) => item.type === "agentMessage");
  return { completed: message?.type === "agentMessage" ? message.text : null };
}

/** True when nothing more comes of it by itself. */
export const isFinal = (status: AgentStatus): boolean => status !== "running" && status !== "pending_init";

/** The status as items show it. */
export function stateOf(status: AgentStatus): CollabAgentState {
  if (typeof status === "object") {
    return "completed" in status
      ? { status: "completed", message: status.completed }
      : { status: "errored", message: status.errored };
  }
  const words = {
    pending_init: "pendingInit",
    running: "running",
    interrupted: "interrupted",
    shutdown: "shutdown",
    not_found: "notFound",
  } as const;
  return { status: words[status], message: null };
}
