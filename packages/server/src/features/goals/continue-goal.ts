import type { ThreadGoal } from "@quire/protocol";
import { service } from "../../context/services.ts";
import type { TurnRequest } from "../../thread/active-turn.ts";
import type { Thread } from "../../thread/thread.ts";
import { modelLoop } from "../../turn/model-loop.ts";
import { startTurn } from "../../turn/start-turn.ts";
import { continuationNote, objectiveNotes } from "./goal-notes.ts";

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

/** Begins the next turn for a goal, unless the model no longer does anything for it. */
export function continueGoal(thread: Thread, goal: ThreadGoal): boolean {
  const idle = thread.services.get(idleTurns);
  if (idle.count >= maxIdleTurns) {
    idle.count = 0;
    const { goals } = thread.core.state.tables;
    thread.core.server.broadcast("thread/goal/updated", {
      threadId: thread.id,
      turnId: null,
      goal: goals.update(goal, { status: "blocked" }),
    });
    return false;
  }
  startTurn(thread, request, async (_, turn) => {
    turn.notes.push(...objectiveNotes(thread.record.history, goal), continuationNote(goal));
    await modelLoop(thread, turn);
    idle.count = turn.calls > 0 ? 0 : idle.count + 1;
  });
  return true;
}
