import type { ThreadGoal, TokenUsageBreakdown, TurnError } from "@quire/protocol";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import type { ActiveTurn } from "../../thread/active-turn.ts";
import type { Thread } from "../../thread/thread.ts";
import { spentNote } from "./goal-notes.ts";

const maxObjective = 4000;

/** The goal of a thread; `null` where it has none. */
export function goalOf(thread: Thread): ThreadGoal | null {
  return thread.ephemeral ? null : (thread.core.state.existing?.goals.get(thread.id) ?? null);
}

/** Notifies every client of a goal. */
export function notifyGoal(thread: Pick<Thread, "core">, goal: ThreadGoal, turnId: string | null): void {
  thread.core.server.broadcast("thread/goal/updated", { threadId: goal.threadId, turnId, goal });
}

/** Notifies a thread's subscribers of its goal, or that it has none. */
export function notifyGoalOf(thread: Thread): void {
  const { id: threadId } = thread;
  const goal = goalOf(thread);
  if (goal) thread.notify("thread/goal/updated", { threadId, turnId: null, goal });
  else thread.notify("thread/goal/cleared", { threadId });
}

/** The objective without blanks around it, or the reason why it is none. */
export function checkedObjective(objective: string): string {
  const words = objective.trim();
  if (words === "") throw invalidRequest("goal objective must not be empty");
  if ([...words].length > maxObjective)
    throw invalidRequest(`goal objective must be at most ${maxObjective} characters`);
  return words;
}

/** Refuses a budget that nothing could be done with. */
export function checkBudget(budget: number | null | undefined): void {
  if (typeof budget === "number" && budget <= 0) throw invalidRequest("goal budgets must be positive when provided");
}

/** Counts what turns cost towards a thread's goal. */
export class Spending {
  readonly #thread: Thread;
  /** The turn whose time is counted, and the time so far. */
  #counted: { readonly turn: ActiveTurn; readonly untilMs: number } | undefined;

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  /** Adds a response. `continues`: the model is asked again within this turn. */
  add(turn: ActiveTurn, usage: TokenUsageBreakdown | null, continues: boolean): void {
    const thread = this.#thread;
    const before = goalOf(thread);
    const now = Date.now();
    const ms = now - (this.#counted?.turn === turn ? this.#counted.untilMs : turn.startedAtMs);
    this.#counted = { turn, untilMs: now };
    if (before?.status !== "active" && before?.status !== "budgetLimited") return;
    // Cached input costs next to nothing.
    const tokens = usage ? usage.inputTokens - usage.cachedInputTokens + usage.outputTokens : 0;
    const goal = thread.core.state.tables.goals.spend(thread.id, tokens, ms);
    if (!goal) return;
    // Time alone is no news.
    if (tokens > 0) notifyGoal(thread, goal, turn.id);
    if (continues && before.status === "active" && goal.status === "budgetLimited") turn.notes.push(spentNote(goal));
  }
}

/** A turn has failed: working on by itself would only fail again. */
export function stopGoal(thread: Thread, turn: ActiveTurn, error: TurnError): void {
  const goal = goalOf(thread);
  if (goal?.status !== "active") return;
  const status = error.codexErrorInfo === "usageLimitExceeded" ? "usageLimited" : "blocked";
  const stopped = thread.core.state.tables.goals.update(goal, { status });
  notifyGoal(thread, stopped, turn.id);
}
