import type { ThreadGoal } from "@quire/protocol";
import { isSwitchedOff } from "../../config/feature-flags.ts";
import { service } from "../../context/services.ts";
import type { ActiveTurn } from "../../thread/active-turn.ts";
import type { Feature, ModelAnswer } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import { goalTools } from "./goal-tools.ts";
import { goalOf, Spending, stopGoal } from "./goal-work.ts";
import { continueThread } from "./next-turn.ts";
import { markUnread } from "./read-marks.ts";

const spending = service((thread: Thread) => new Spending(thread));

/** The goal as it was when the last turn ended: both points of the end need it, and reading it twice is felt. */
const goalAtEnd = service((_: Thread): { goal: ThreadGoal | null } => ({ goal: null }));

/** Continues a thread towards its goal, runs queued messages, and marks unread turns. */
export const goals: Feature<Thread> = {
  tools: (thread) => (isSwitchedOff(thread.config.raw, "goals") ? [] : goalTools(thread)),
  afterModel: (thread, turn, answer) => {
    // The cost of a goal is counted before the goal is closed.
    if (closesGoal(answer)) spend(thread, turn, answer);
    return undefined;
  },
  afterCalls: (thread, turn, answer) => {
    if (!closesGoal(answer)) spend(thread, turn, answer);
  },
  ending: (thread, turn, { error }) => {
    if (error) stopGoal(thread, turn, error);
  },
  end: (thread, turn, end) => {
    const at = thread.services.get(goalAtEnd);
    at.goal = null;
    at.goal = goalOf(thread);
    if (at.goal?.status !== "active" || end.status !== "completed") markUnread(thread, turn, end);
  },
  ended: (thread, _, { status }) => {
    if (status !== "interrupted") continueThread(thread, thread.services.get(goalAtEnd).goal);
  },
};

const closesGoal = ({ calls }: ModelAnswer): boolean => calls.some(({ name }) => name === "update_goal");

function spend(thread: Thread, turn: ActiveTurn, { result, calls }: ModelAnswer): void {
  if (result && !(result instanceof Error)) thread.services.get(spending).add(turn, result.usage, calls.length > 0);
}
