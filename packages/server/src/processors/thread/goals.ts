import type { ThreadGoal, ThreadGoalSetParams } from "@quire/protocol";
import type { Handlers } from "../../context/processor.ts";
import { forgetIdleTurns } from "../../features/goals/continue-goal.ts";
import { editedNote } from "../../features/goals/goal-notes.ts";
import { checkBudget, checkedObjective, notifyGoal } from "../../features/goals/goal-work.ts";
import type { ServerCore } from "../../features/open-core.ts";
import { coreOf } from "../../features/open-core.ts";
import { afterReply } from "../../lib/after-reply.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import { event } from "../../record/rollout-line.ts";
import { continueThread } from "../../thread/continue-thread.ts";
import { checkThreadId } from "../../thread/thread-manager.ts";

/** Goals of threads. */
export const handlers: Handlers = {
  "thread/goal/get": async ({ threadId }, { server }) => {
    const core = coreOf(server);
    await checkStored(core, threadId);
    return { goal: core.state.existing?.goals.get(threadId) ?? null };
  },

  "thread/goal/set": async (params, { server }) => {
    const core = coreOf(server);
    await checkStored(core, params.threadId);
    const before = core.state.existing?.goals.get(params.threadId) ?? null;
    const goal = put(core, params, before);
    const thread = core.threads.get(params.threadId);
    const edited = before !== null && before.objective !== goal.objective && goal.status === "active";
    if (thread?.active?.request.kind === "regular" && edited) thread.active.notes.push(editedNote(goal));
    if (thread) forgetIdleTurns(thread);
    afterReply(() => {
      notifyGoal({ core }, goal, null);
      if (thread && goal.status === "active") continueThread(thread);
    });
    return { goal };
  },

  "thread/goal/clear": async ({ threadId }, { server }) => {
    const core = coreOf(server);
    await checkStored(core, threadId);
    const cleared = core.state.existing?.goals.clear(threadId) ?? false;
    if (cleared) afterReply(() => server.broadcast("thread/goal/cleared", { threadId }));
    return { cleared };
  },
};

function put(core: ServerCore, params: ThreadGoalSetParams, before: ThreadGoal | null): ThreadGoal {
  const { threadId } = params;
  const given = params.objective ?? null;
  const objective = given === null ? undefined : checkedObjective(given);
  checkBudget(params.tokenBudget);
  const change = { objective, status: params.status ?? undefined, tokenBudget: params.tokenBudget };
  if (!before && objective === undefined)
    throw invalidRequest(`cannot update goal for thread ${threadId}: no goal exists`);
  const thread = core.threads.get(threadId);
  thread?.materialize();
  // Lists show a thread by its first message; without one, by its goal.
  if (thread && objective !== undefined && thread.record.preview === "")
    thread.writeNow([event({ kind: "preview", preview: objective })]);
  const { goals } = core.state.tables;
  return before ? goals.update(before, change) : goals.create(threadId, objective ?? "", change);
}

async function checkStored(core: ServerCore, threadId: string): Promise<void> {
  checkThreadId(threadId);
  const thread = core.threads.get(threadId);
  if (thread?.ephemeral) throw invalidRequest(`ephemeral thread does not support goals: ${threadId}`);
  if (!thread && !(await core.store.exists(threadId))) throw invalidRequest(`thread not found: ${threadId}`);
}
