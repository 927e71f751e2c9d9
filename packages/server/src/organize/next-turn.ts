import type { QueuedSubmission, ThreadGoal, Turn } from "@quire/protocol";
import type { TurnRequest } from "../thread/active-turn.ts";
import { modelLoop } from "../thread/model-loop.ts";
import { answering } from "../thread/run-turn.ts";
import { startTurn } from "../thread/start-turn.ts";
import type { Thread } from "../thread/thread.ts";
import { continuationNote } from "./goal-notes.ts";
import { goalOf } from "./goal-work.ts";

/** So often in a row the model is asked to go on with a goal though it only talks; then the goal counts as blocked. */
const maxIdleTurns = 20;

const request: TurnRequest = {
  kind: "regular",
  outputSchema: null,
  metadata: {},
  rootTurnId: null,
  serviceTier: null,
};

/**
 * Begins what an idle thread has yet to do by itself: a message that waits, else the next turn for its goal.
 *
 * @param known The goal, where it was just read.
 */
export function goOn(thread: Thread, known?: ThreadGoal | null): void {
  if (thread.closing || thread.active || thread.ephemeral) return;
  try {
    const [first] = thread.core.state.existing?.queue.list(thread.id) ?? [];
    const goal = known === undefined ? goalOf(thread) : known;
    if (first) startQueued(thread, first);
    else if (goal?.status === "active") continueGoal(thread, goal);
  } catch (error) {
    // Another process may be writing to the thread: what waits goes on waiting.
    thread.core.server.log.warn(`thread ${thread.id} could not go on by itself`, error);
  }
}

/** Begins the turn of a message that has waited. */
export function startQueued(thread: Thread, queued: QueuedSubmission): Turn {
  const { queue } = thread.core.state.tables;
  queue.begin(queued.id);
  try {
    const taken = () => queue.taken(queued.id);
    const work = answering({ input: queued.input, clientId: queued.clientUserMessageId, taken });
    const turn = startTurn(thread, request, async (given, active) => {
      try {
        await work(given, active);
      } finally {
        // Interrupted before the thread held it, the message goes on waiting.
        queue.giveBack(queued.id);
      }
    });
    thread.notify("thread/queue/changed", { threadId: thread.id });
    return turn;
  } catch (error) {
    queue.giveBack(queued.id);
    throw error;
  }
}

function continueGoal(thread: Thread, goal: ThreadGoal): void {
  if (thread.idleGoalTurns >= maxIdleTurns) {
    thread.idleGoalTurns = 0;
    const { goals } = thread.core.state.tables;
    thread.core.server.broadcast("thread/goal/updated", {
      threadId: thread.id,
      turnId: null,
      goal: goals.update(goal, { status: "blocked" }),
    });
    return;
  }
  startTurn(thread, request, async (_, turn) => {
    turn.notes.push(continuationNote(goal));
    await modelLoop(thread, turn);
    thread.idleGoalTurns = turn.calls > 0 ? 0 : thread.idleGoalTurns + 1;
  });
}
