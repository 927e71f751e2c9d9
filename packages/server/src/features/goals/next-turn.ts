import type { QueuedSubmission, ThreadGoal, Turn } from "@quire/protocol";
import { service } from "../../context/services.ts";
import type { TurnRequest } from "../../thread/active-turn.ts";
import type { Thread } from "../../thread/thread.ts";
import { answerInput, modelLoop } from "../../turn/model-loop.ts";
import { startTurn } from "../../turn/start-turn.ts";
import { continuationNote, objectiveNotes } from "./goal-notes.ts";
import { goalOf } from "./goal-work.ts";

/** Turns in a row without any action, after which a goal counts as blocked. */
const maxIdleTurns = 200;

const request: TurnRequest = {
  kind: "regular",
  outputSchema: null,
  metadata: {},
  rootTurnId: null,
  serviceTier: null,
};

/** Turns in a row for the goal in which the model did nothing. */
const idleTurns = service((_: Thread) => ({ count: 0 }));

/** Allows a goal to continue again after idle turns. */
export function forgetIdleTurns(thread: Thread): void {
  thread.services.get(idleTurns).count = 0;
}

/** Begins what an idle thread has yet to do by itself: a message that waits, else the next turn for its goal. */
export function continueThread(thread: Thread, known?: ThreadGoal | null): void {
  if (thread.closing || thread.active || thread.ephemeral) return;
  try {
    const [first] = thread.core.state.existing?.queue.list(thread.id) ?? [];
    const goal = known === undefined ? goalOf(thread) : known;
    if (first) startQueued(thread, first);
    else if (goal?.status === "active") continueGoal(thread, goal);
  } catch (error) {
    // Another process may be writing to the thread: queued messages keep waiting.
    thread.core.server.log.warn(`thread ${thread.id} could not continue automatically`, error);
  }
}

/** Begins the turn of a message that has waited. */
export function startQueued(thread: Thread, queued: QueuedSubmission): Turn {
  const { queue } = thread.core.state.tables;
  queue.begin(queued.id);
  try {
    const taken = () => queue.taken(queued.id);
    const work = answerInput({ input: queued.input, clientId: queued.clientUserMessageId, taken });
    const asked = { ...request, metadata: queued.responsesapiClientMetadata ?? {} };
    const turn = startTurn(thread, asked, async (given, active) => {
      try {
        await work(given, active);
      } finally {
        // A message that was interrupted before it was stored keeps waiting.
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
  const idle = thread.services.get(idleTurns);
  if (idle.count >= maxIdleTurns) {
    idle.count = 0;
    const { goals } = thread.core.state.tables;
    thread.core.server.broadcast("thread/goal/updated", {
      threadId: thread.id,
      turnId: null,
      goal: goals.update(goal, { status: "blocked" }),
    });
    return;
  }
  startTurn(thread, request, async (_, turn) => {
    turn.notes.push(...objectiveNotes(thread.record.history, goal), continuationNote(goal));
    await modelLoop(thread, turn);
    idle.count = turn.calls > 0 ? 0 : idle.count + 1;
  });
}
