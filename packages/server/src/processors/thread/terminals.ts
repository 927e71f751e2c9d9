import type { Handlers } from "../../processor.ts";
import { coreOf } from "../../thread/core.ts";

/** Commands that a thread left running. */
export const handlers: Handlers = {
  "thread/backgroundTerminals/list": ({ threadId }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    return { data: thread.toolbox.terminals.list(), nextCursor: null };
  },

  "thread/backgroundTerminals/terminate": async ({ threadId, processId }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    return { terminated: await thread.toolbox.terminals.terminate(processId) };
  },

  "thread/backgroundTerminals/clean": async ({ threadId }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    await thread.toolbox.terminals.clean();
    return {};
  },
};
