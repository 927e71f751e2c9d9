import type { ThreadGoal } from "@quire/protocol";
import { isSwitchedOff } from "../../config/feature-flags.ts";
import { service } from "../../context/services.ts";
import type { ActiveTurn } from "../../thread/active-turn.ts";
import type { Feature, ModelAnswer } from "../../thread/feature.ts";
import type { Thread } from "../../thread/thread.ts";
import { continueGoal } from "./continue-goal.ts";
import { goalTools } from "./goal-tools.ts";
import { goalOf, notifyGoalOf, Spending, stopGoal } from "./goal-work.ts";

const spending = service((thread: Thread) => new Spending(thread));

/** The goal as it was when the last turn ended, since reading it for both `continues` and `next` is felt. */
const goalAtEnd = service((_: Thread): { goal: ThreadGoal | null } => ({ goal: null }));

/** Continues a thread from turn to turn towards its goal. */
export const goals: Feature<Thread> = {
  joined: (thread, by) => {
    if (by === "resume") notifyGoalOf(thread);
  },
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
  continues: (thread, { status }) => {
    const at = thread.services.get(goalAtEnd);
    at.goal = null;
    at.goal = goalOf(thread);
    return at.goal?.status === "active" && status === "completed";
  },
  next: (thread, end) => {
    const goal = end ? thread.services.get(goalAtEnd).goal : goalOf(thread);
    return goal?.status === "active" && continueGoal(thread, goal);
  },
};

const closesGoal = ({ calls }: ModelAnswer): boolean => calls.some(({ name }) => name === "update_goal");

function spend(thread: Thread, turn: ActiveTurn, { result, calls }: ModelAnswer): void {
  if (result && !(result instanceof Error)) thread.services.get(spending).add(turn, result.usage, calls.length > 0);
}
