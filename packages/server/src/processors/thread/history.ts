import type { AnyHandler, Handlers } from "../../context/processor.ts";
import { coreOf } from "../../features/open-core.ts";
import { afterReply } from "../../lib/after-reply.ts";
import { invalidRequest } from "../../lib/rpc-errors.ts";
import { event } from "../../record/rollout-line.ts";
import { itemsEnd, turnsEnd } from "../../thread/pages.ts";
import type { Thread } from "../../thread/thread.ts";
import { wireThread } from "../../thread/wire-thread.ts";
import { compact } from "../../turn/compaction.ts";
import { startTurn } from "../../turn/start-turn.ts";

/** Rewriting what a thread remembers. */
export const handlers: Handlers = {
  "thread/compact/start": ({ threadId }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    const request = { kind: "compact", outputSchema: null, metadata: {}, rootTurnId: null, serviceTier: null } as const;
    startTurn(thread, request, compact);
    return {};
  },

  "thread/revert": async ({ threadId, beforeTurnId }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    await revert(thread, beforeTurnId);
    // The thread is another one now: clients take it as unloaded and loaded anew.
    thread.setStatus({ type: "notLoaded" });
    thread.features.reverted();
    thread.setStatus({ type: "idle" });
    afterReply(() => server.broadcast("thread/reverted", { threadId }));
    const turns = thread.shownTurns();
    return { thread: wireThread(thread), turnsBackwardsCursor: turnsEnd(turns), itemsBackwardsCursor: itemsEnd(turns) };
  },

  ...legacy({
    // Codex up to 0.165 counted turns from the end.
    "thread/rollback": async (params, { server }) => {
      const { threadId, numTurns } = params as { threadId?: unknown; numTurns?: unknown };
      if (typeof threadId !== "string") throw invalidRequest("Invalid request: missing field `threadId`");
      if (typeof numTurns !== "number" || !Number.isInteger(numTurns) || numTurns < 1)
        throw invalidRequest("numTurns must be >= 1");
      const thread = coreOf(server).threads.require(threadId);
      const first = thread.record.turns.at(-Math.min(numTurns, thread.record.turns.length));
      if (first) {
        await revert(thread, first.id);
        thread.features.reverted();
      }
      return { thread: wireThread(thread, thread.shownTurns()) };
    },
  }),
};

/** A running turn is ended first: it is among the removed ones. */
async function revert(thread: Thread, beforeTurnId: string): Promise<void> {
  if (!thread.record.turns.some((turn) => turn.id === beforeTurnId))
    throw invalidRequest(`turn not found: ${beforeTurnId}`);
  await thread.active?.interrupt("the thread is reverted");
  thread.writeNow([event({ kind: "reverted", beforeTurnId })]);
}

/** Methods without types in the protocol's latest version. */
function legacy(methods: Readonly<Record<string, AnyHandler>>): Handlers {
  return methods as Handlers;
}
