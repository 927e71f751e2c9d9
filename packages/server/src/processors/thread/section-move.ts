import type { Handlers } from "../../context/processor.ts";
import { coreOf } from "../../features/open-core.ts";
import { afterReply } from "../../lib/after-reply.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import { checkThreadId } from "../../thread/thread-manager.ts";

/** Sections of threads. */
export const handlers: Handlers = {
  "thread/section/move": async ({ threadId, sectionId, beforeThreadId }, { server }) => {
    const core = coreOf(server);
    checkThreadId(threadId);
    const thread = core.threads.get(threadId);
    if (thread?.ephemeral) throw invalidRequest(`ephemeral thread does not support section moves: ${threadId}`);
    if (!thread && !(await core.store.exists(threadId))) throw invalidRequest(`thread not found: ${threadId}`);
    const { placements, sections } = core.state.tables;
    const before = beforeThreadId ?? null;
    if (sectionId === null && before !== null) throw invalidRequest("beforeThreadId requires a non-null sectionId");
    if (sectionId !== null && !sections.get(sectionId)) throw invalidRequest(`section ${sectionId} does not exist`);
    if (before === threadId) throw invalidRequest(`thread ${threadId} cannot be moved before itself`);
    if (before !== null && !placements.inSection(sectionId ?? "").some((entry) => entry.threadId === before))
      throw invalidRequest(`before thread ${before} is not in section ${sectionId}`);
    thread?.materialize();
    placements.move(threadId, sectionId, before);
    afterReply(() => server.broadcast("thread/section/changed", { threadId, sectionId }));
    return {};
  },
};
