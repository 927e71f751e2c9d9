import { isSwitchedOff } from "../../config/feature-flags.ts";
import type { ActiveTurn } from "../../thread/active-turn.ts";
import type { ModelAnswer, ThreadExtension, TurnEnd } from "../../thread/extension.ts";
import type { Thread } from "../../thread/thread.ts";
import type { Tool } from "../../tools/tool.ts";
import { goalTools } from "./goal-tools.ts";
import { Spending, stopGoal } from "./goal-work.ts";
import { continueThread } from "./next-turn.ts";
import { markUnread } from "./read-marks.ts";

/** Works towards a thread's goal from turn to turn, takes what waits in its queue, and marks what nobody has read. */
class Goals implements ThreadExtension {
  readonly #thread: Thread;
  readonly #spending: Spending;

  constructor(thread: Thread) {
    this.#thread = thread;
    this.#spending = new Spending(thread);
  }

  get tools(): readonly Tool[] {
    return isSwitchedOff(this.#thread.config.raw, "goals") ? [] : goalTools(this.#thread);
  }

  afterModel(turn: ActiveTurn, answer: ModelAnswer): undefined {
    // What a goal has cost is counted before it is closed.
    if (closesGoal(answer)) this.#spend(turn, answer);
  }

  afterCalls(turn: ActiveTurn, answer: ModelAnswer): void {
    if (!closesGoal(answer)) this.#spend(turn, answer);
  }

  ending(turn: ActiveTurn, { error }: TurnEnd): void {
    if (error) stopGoal(this.#thread, turn, error);
  }

  end(turn: ActiveTurn, end: TurnEnd): void {
    markUnread(this.#thread, turn, end);
  }

  ended(_: ActiveTurn, { status }: TurnEnd): void {
    if (status !== "interrupted") continueThread(this.#thread);
  }

  #spend(turn: ActiveTurn, { result, calls }: ModelAnswer): void {
    if (result && !(result instanceof Error)) this.#spending.add(turn, result.usage, calls.length > 0);
  }
}

const closesGoal = ({ calls }: ModelAnswer): boolean => calls.some(({ name }) => name === "update_goal");

/** Goals, queued messages and read marks. */
export const goals = (thread: Thread): ThreadExtension => new Goals(thread);
