import type { Handlers } from "../../context/processor.ts";
import { coreOf } from "../../features/open-core.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import { isLocal } from "../../run/environments/local-environment.ts";
import { startUserShell } from "../../turn/start-user-shell.ts";

/** Timeout of a user's own command, as in Codex. */
const shellTimeoutMs = 60 * 60 * 1000;

/** Commands of a thread: those that a user types, and those that were left running. */
export const handlers: Handlers = {
  "thread/shellCommand": ({ threadId, command, timeoutMs }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    if (command.trim() === "") throw invalidRequest("command must not be empty");
    if (!isLocal(thread.settings))
      throw invalidRequest("user commands run on this machine only, but this thread uses another environment");
    startUserShell(thread, { command, timeoutMs: timeoutMs ?? shellTimeoutMs });
    return {};
  },

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
