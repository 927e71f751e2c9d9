import { isSwitchedOff } from "../../config/features.ts";
import type { ActiveTurn } from "../../thread/active-turn.ts";
import type { ModelAnswer, ThreadExtension } from "../../thread/extension.ts";
import type { Thread } from "../../thread/thread.ts";
import { goalTools } from "./goal-tools.ts";
import { Spending, stopGoal } from "./goal-work.ts";
import { goOn } from "./next-turn.ts";
import { markUnread } from "./read-marks.ts";

/** Works towards a thread's goal from turn to turn, takes what waits in its queue, and marks what nobody has read. */
export function goals(thread: Thread): ThreadExtension {
  const spending = new Spending(thread);
  const closes = ({ calls }: ModelAnswer) => calls.some(({ name }) => name === "update_goal");
  const spend = (turn: ActiveTurn, { result, calls }: ModelAnswer) => {
    if (result && !(result instanceof Error)) spending.add(turn, result.usage, calls.length > 0);
  };
  return {
    tools: isSwitchedOff(thread.config.raw, "goals") ? [] : goalTools(thread),
    afterModel: (turn, answer) => {
      // What a goal has cost is counted before it is closed.
      if (closes(answer)) spend(turn, answer);
      return undefined;
    },
    afterCalls: (turn, answer) => {
      if (!closes(answer)) spend(turn, answer);
    },
    ending: (turn, { error }) => {
      if (error) stopGoal(thread, turn, error);
    },
    end: (turn, end) => markUnread(thread, turn, end),
    ended: (_, { status }) => {
      if (status !== "interrupted") goOn(thread);
    },
  };
}
