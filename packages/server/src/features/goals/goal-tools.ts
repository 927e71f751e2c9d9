import type { ThreadGoal } from "@quire/protocol";
import { ToolFailure } from "../../approval/tool-context.ts";
import { errorMessage } from "../../lib/error-message.ts";
import type { ToolSpec } from "../../model/model-provider.ts";
import type { Thread } from "../../thread/thread.ts";
import { Arguments } from "../../tools/arguments.ts";
import type { Tool } from "../../tools/tool.ts";
import { checkBudget, checkedObjective, goalOf, notifyGoal } from "./goal-work.ts";

function spec(name: string, description: string, properties: Readonly<Record<string, unknown>> = {}): ToolSpec {
  const required = Object.keys(properties).filter((key) => key !== "token_budget");
  const parameters = { type: "object", properties, required, additionalProperties: false };
  return { type: "function", name, description, strict: false, parameters };
}

const specs = {
  get: spec("get_goal", "Gives the goal of this thread: its status, its budget and what was used of it."),
  create: spec(
    "create_goal",
    "Sets a goal that you go on working towards from turn to turn. Only when the user, or whoever instructs you, asks for a goal in so many words; an ordinary task is none. Fails while there is a goal that is not complete.",
    {
      objective: { type: "string", description: "What is to be achieved, so that it can be checked." },
      token_budget: { type: "integer", description: "Most tokens to spend on it. Only if one was asked for." },
    },
  ),
  update: spec(
    "update_goal",
    "Ends or pauses work on the goal. `complete`: everything it asks for is done and checked; tell the user what it has used of its budget. `blocked`: the same obstacle has stopped you in at least three turns in a row and you cannot remove it; not because the work is hard, long or unclear. `paused`: only when the user asks for it.",
    { status: { type: "string", enum: ["complete", "blocked", "paused"], description: "How the goal stands." } },
  ),
};

/** The tools with which a thread's model sees and ends its goal. */
export function goalTools(thread: Thread): Tool[] {
  const tool = (given: ToolSpec, run: (args: Arguments, turnId: string) => string): Tool => ({
    spec: given,
    name: String(given.name),
    namespace: null,
    run: async (call, context) => run(new Arguments(call), context.turnId),
  });
  return [
    tool(specs.get, () => report(goalOf(thread))),
    tool(specs.create, (args, turnId) => create(thread, args, turnId)),
    tool(specs.update, (args, turnId) => update(thread, args, turnId)),
  ];
}

function create(thread: Thread, args: Arguments, turnId: string): string {
  const budget = args.count("token_budget") ?? null;
  const objective = asFailure(() => {
    checkBudget(budget);
    return checkedObjective(args.text("objective") ?? "");
  });
  if (thread.ephemeral) throw new ToolFailure("this thread is not stored, and cannot have a goal");
  const before = goalOf(thread);
  if (before && before.status !== "complete") {
    throw new ToolFailure(
      "cannot create a new goal because this thread has an unfinished goal; complete the existing goal first",
    );
  }
  const goal = thread.core.state.tables.goals.create(thread.id, objective, { tokenBudget: budget });
  notifyGoal(thread, goal, turnId);
  return report(goal);
}

function update(thread: Thread, args: Arguments, turnId: string): string {
  const status = (["complete", "blocked", "paused"] as const).find((each) => each === args.text("status"));
  if (!status) {
    throw new ToolFailure(
      "update_goal can mark a goal complete, blocked or, where the user asked for it, paused; any other status is up to the user or the system",
    );
  }
  const before = goalOf(thread);
  if (!before) throw new ToolFailure("cannot update goal because this thread has no goal");
  // A limit that the user has set is not lifted by pausing.
  const kept = status === "paused" && before.status === "budgetLimited";
  const goal = kept ? before : thread.core.state.tables.goals.update(before, { status });
  notifyGoal(thread, goal, turnId);
  return report(goal);
}

function report(goal: ThreadGoal | null): string {
  const budget = goal?.tokenBudget ?? null;
  const { tokenBudget: _, ...rest } = goal ?? {};
  return JSON.stringify({
    goal: goal && budget === null ? rest : goal,
    remainingTokens: goal && budget !== null ? Math.max(0, budget - goal.tokensUsed) : null,
    completionBudgetReport:
      goal?.status === "complete" && budget !== null
        ? "The goal is complete: tell the user how many tokens of its budget and how much time it took."
        : null,
  });
}

function asFailure<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new ToolFailure(errorMessage(error));
  }
}
