import type { ReviewStartParams, ReviewStartResponse } from "@quire/protocol";
import type { Handlers, RequestScope } from "../context/processor.ts";
import { coreOf } from "../features/open-core.ts";
import { runReview } from "../features/review/run-review.ts";
import { reviewTask } from "../features/review/target.ts";
import { afterReply } from "../lib/after-reply.ts";
import { forkThread } from "../thread/fork-thread.ts";
import { nextSettings } from "../thread/next-settings.ts";
import type { Thread } from "../thread/thread.ts";
import { wireThread } from "../thread/wire-thread.ts";
import { startTurn } from "../turn/start-turn.ts";

/** Reviews of changes. */
export const handlers: Handlers = { "review/start": start };

/** 0.166 dropped `detached`, which earlier versions and the documentation have. */
type Delivery = ReviewStartParams["delivery"] | "detached";

async function start(
  { threadId, target, ...params }: ReviewStartParams,
  scope: RequestScope,
): Promise<ReviewStartResponse> {
  const delivery = params.delivery as Delivery;
  const parent = coreOf(scope.server).threads.require(threadId);
  const task = reviewTask(target);
  const thread = delivery === "detached" ? await detach(parent, scope) : parent;
  const request = { kind: "review", outputSchema: null, metadata: {}, rootTurnId: null, serviceTier: null } as const;
  const turn = startTurn(thread, request, runReview(task));
  const content = [{ type: "text" as const, text: task.hint, text_elements: [] }];
  const item = {
    type: "userMessage" as const,
    id: turn.id,
    clientId: null,
    content,
    startedAtMs: null,
    completedAtMs: null,
  };
  return { turn: { ...turn, items: [item] }, reviewThreadId: thread.id };
}

async function detach(parent: Thread, scope: RequestScope): Promise<Thread> {
  const thread = await forkThread(parent.core, scope, {
    source: parent.record,
    settings: {},
    range: { lastTurnId: null, beforeTurnId: null },
    ephemeral: parent.ephemeral,
    changes: {},
  });
  thread.settings = nextSettings(parent).settings;
  thread.join(scope.connection);
  afterReply(() => scope.server.broadcast("thread/started", { thread: wireThread(thread) }));
  return thread;
}
