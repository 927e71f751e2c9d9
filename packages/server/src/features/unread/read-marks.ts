import type { ThreadReadState } from "@quire/protocol";
import type { ActiveTurn } from "../../thread/active-turn.ts";
import type { TurnEnd } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";

/** Marks a turn as unread: it failed, or it answered and nothing continues its work. An interrupted one was seen. */
export function markUnread(thread: Thread, turn: ActiveTurn, { status, answered, continues }: TurnEnd): void {
  if (thread.ephemeral || continues || status === "interrupted") return;
  // An agent works for the model that started it.
  if (thread.record.meta.quire?.parentThreadId) return;
  if (status === "completed" && !answered) return;
  const readState = thread.core.state.tables.readStates.ended(thread.id, turn.id);
  notifyReadState(thread, readState);
}

/** Turns were reverted: where what was unread began with one of them, nothing is unread any more. */
export function markReverted(thread: Thread): void {
  const { existing } = thread.core.state;
  const first = existing?.readStates.get(thread.id).firstUnread;
  if (first?.type !== "turn" || thread.record.turns.some(({ id }) => id === first.turnId)) return;
  if (existing) notifyReadState(thread, existing.readStates.put(thread.id, null));
}

/** Notifies subscribers that may use the experimental API. */
export function notifyReadState(thread: Thread, readState: ThreadReadState): void {
  const now = Date.now();
  for (const subscriber of thread.subscribers) {
    if (subscriber.experimental) subscriber.notify("thread/readState/changed", { threadId: thread.id, readState }, now);
  }
}
