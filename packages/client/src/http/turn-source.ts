import { failureMessage } from "../lib/failure-message.ts";
import type { Approvals } from "../questions/approvals.ts";
import { sseEvent } from "./sse.ts";
import type { ShelvedTurn } from "./turn-shelf.ts";
import { turnSteps } from "./turn-steps.ts";

/** Options of {@link turnSource}. */
export interface TurnSourceOptions {
  readonly approvals?: Approvals | undefined;
  /** The number of the last event that the reader has: up to it they are left out. */
  readonly after: number;
}

/**
 * A turn as server-sent events: `turn` with its ids, the turn's own events, numbered, and `end` with its result or its
 * failure. The approvals that are open on the thread come as `approvals`, whole and without a number, whenever they change.
 */
export async function* turnSource(
  shelved: ShelvedTurn,
  { approvals, after }: TurnSourceOptions,
): AsyncGenerator<string, undefined> {
  const { id, threadId, turn } = shelved;
  yield sseEvent({ threadId, turnId: id }, { event: "turn" });
  let last = 0;
  for await (const step of turnSteps(shelved, approvals)) {
    if (!step.event) yield sseEvent(step.open, { event: "approvals" });
    else {
      last = step.number;
      if (last > after) yield sseEvent(step.event, { id: last });
    }
  }
  if (last + 1 > after) yield sseEvent(await outcome(turn), { event: "end", id: last + 1 });
  return undefined;
}

async function outcome(turn: ShelvedTurn["turn"]): Promise<unknown> {
  try {
    const { status, agentMessage, usage } = await turn.result;
    return { status, agentMessage, usage };
  } catch (error) {
    return { status: "failed", error: failureMessage(error) };
  }
}
