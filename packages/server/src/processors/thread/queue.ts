import type { Handlers } from "../../context/processor.ts";
import type { ServerCore } from "../../features/open-core.ts";
import { coreOf } from "../../features/open-core.ts";
import { startQueued } from "../../features/queue/start-queued.ts";
import { internalError, invalidRequest } from "../../lib/rpc-errors.ts";
import { continueThread } from "../../thread/continue-thread.ts";
import { checkThreadId } from "../../thread/thread-manager.ts";
import { maxQueued } from "../../user-state/queue.ts";

const defaultPage = 100;

/** Messages that wait until their thread has time for them. */
export const handlers: Handlers = {
  "thread/queue/add": async (
    { threadId, clientUserMessageId, input, responsesapiClientMetadata: metadata },
    { server },
  ) => {
    const core = coreOf(server);
    await checkStored(core, threadId);
    checkInput(input);
    const { queue } = core.state.tables;
    if (queue.list(threadId).length >= maxQueued)
      throw invalidRequest(`the queue is full with ${maxQueued} messages; delete some or wait`);
    const queuedSubmission = queue.add(threadId, clientUserMessageId, { input, metadata });
    changed(core, threadId);
    const thread = core.threads.get(threadId);
    if (thread) continueThread(thread);
    return { queuedSubmission };
  },

  "thread/queue/list": async ({ threadId, cursor, limit }, { server }) => {
    const core = coreOf(server);
    await checkStored(core, threadId);
    const start = cursor === undefined || cursor === null ? 0 : Number(cursor);
    if (!Number.isInteger(start) || start < 0 || cursor === "")
      throw invalidRequest(`invalid queue pagination cursor: ${cursor}`);
    const all = core.state.existing?.queue.list(threadId) ?? [];
    const end = start + Math.max(1, limit ?? defaultPage);
    return { data: all.slice(start, end), nextCursor: end < all.length ? String(end) : null };
  },

  "thread/queue/update": async (
    { threadId, queuedSubmissionId, input, responsesapiClientMetadata: metadata },
    { server },
  ) => {
    const core = coreOf(server);
    await checkStored(core, threadId);
    checkInput(input);
    const queuedSubmission = core.state.tables.queue.update(threadId, queuedSubmissionId, { input, metadata });
    if (!queuedSubmission) throw notQueued(queuedSubmissionId);
    changed(core, threadId);
    return { queuedSubmission };
  },

  "thread/queue/delete": async ({ threadId, queuedSubmissionId }, { server }) => {
    const core = coreOf(server);
    await checkStored(core, threadId);
    const deleted = core.state.existing?.queue.delete(threadId, queuedSubmissionId) ?? false;
    if (deleted) changed(core, threadId);
    return { deleted };
  },

  "thread/queue/reorder": async ({ threadId, queuedSubmissionIds }, { server }) => {
    const core = coreOf(server);
    await checkStored(core, threadId);
    if (!core.state.tables.queue.reorder(threadId, queuedSubmissionIds))
      throw invalidRequest("queue reorder must include every queued submission exactly once");
    changed(core, threadId);
    return {};
  },

  "thread/queue/start": async ({ threadId, queuedSubmissionId }, { server }) => {
    const core = coreOf(server);
    await checkStored(core, threadId);
    const thread = core.threads.require(threadId);
    if (thread.active) throw invalidRequest("thread already has an active or pending turn");
    const all = core.state.existing?.queue.list(threadId) ?? [];
    const asked = queuedSubmissionId ?? null;
    const queued = asked === null ? all[0] : all.find(({ id }) => id === asked);
    if (!queued) throw asked === null ? invalidRequest("queue is empty") : notQueued(asked);
    return { turn: startQueued(thread, queued) };
  },
};

const notQueued = (id: string) => invalidRequest(`queued submission not found: ${id}`);

function checkInput(input: readonly unknown[]): void {
  if (input.length === 0) throw invalidRequest("only user input can be added to the user-message queue");
}

function changed(core: ServerCore, threadId: string): void {
  core.threads.get(threadId)?.notify("thread/queue/changed", { threadId });
}

async function checkStored(core: ServerCore, threadId: string): Promise<void> {
  checkThreadId(threadId);
  const thread = core.threads.get(threadId);
  if (thread?.ephemeral) throw invalidRequest(`ephemeral thread does not support queued submissions: ${threadId}`);
  if (!thread && !(await core.store.exists(threadId)))
    throw internalError(`failed to read thread: no rollout found for thread id ${threadId}`);
}
