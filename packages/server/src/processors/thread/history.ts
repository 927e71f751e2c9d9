import type { AnyHandler, Handlers } from "../../processor.ts";
import { invalidRequest } from "../../rpc-errors.ts";
import { compact } from "../../thread/compaction.ts";
import { coreOf } from "../../thread/core.ts";
import { itemsEnd, turnsEnd } from "../../thread/pages.ts";
import { busy, startTurn } from "../../thread/start-turn.ts";
import { event, type Thread } from "../../thread/thread.ts";
import { wireThread } from "../../thread/wire-thread.ts";
import { afterReply } from "./common.ts";

/** Rewriting what a thread remembers. */
export const handlers: Handlers = {
  "thread/compact/start": ({ threadId }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    const request = { kind: "compact", outputSchema: null, metadata: {}, rootTurnId: null, serviceTier: null } as const;
    startTurn(thread, request, compact);
    return {};
  },

  "thread/revert": ({ threadId, beforeTurnId }, { server }) => {
    const thread = coreOf(server).threads.require(threadId);
    revert(thread, beforeTurnId);
    afterReply(() => thread.notify("thread/reverted", { threadId }));
    const turns = thread.shownTurns();
    return { thread: wireThread(thread), turnsBackwardsCursor: turnsEnd(turns), itemsBackwardsCursor: itemsEnd(turns) };
  },

  ...legacy({
    // Codex up to 0.165 counted turns from the end.
    "thread/rollback": (params, { server }) => {
      const { threadId, numTurns } = params as { threadId?: unknown; numTurns?: unknown };
      if (typeof threadId !== "string") throw invalidRequest("Invalid request: missing field `threadId`");
      if (typeof numTurns !== "number" || numTurns < 1) throw invalidRequest("numTurns must be >= 1");
      const thread = coreOf(server).threads.require(threadId);
      const first = thread.record.turns.at(-Math.min(numTurns, thread.record.turns.length));
      if (first) revert(thread, first.id);
      return { thread: wireThread(thread, thread.shownTurns()) };
    },
  }),
};

function revert(thread: Thread, beforeTurnId: string): void {
  if (thread.active) throw busy(thread.active);
  if (!thread.record.turns.some((turn) => turn.id === beforeTurnId)) throw invalidRequest(`turn not found: ${beforeTurnId}`);
  thread.writeNow([event({ kind: "reverted", beforeTurnId })]);
}

/** Methods that the protocol's latest version has no types for. */
function legacy(methods: Readonly<Record<string, AnyHandler>>): Handlers {
  return methods as Handlers;
}
