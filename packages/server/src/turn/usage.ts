import type { RateLimitSnapshot, ServerNotifications, ThreadTokenUsage, TokenUsageBreakdown } from "@quire/protocol";
import type { ModelResult } from "../model/model-provider.ts";
import type { Thread } from "../thread/thread.ts";

/** Adds the usage of a response, and sends it with the limits. */
export function countUsage(thread: Thread, turnId: string, { usage: last, responseId, cost }: ModelResult): void {
  if (thread.rawEvents)
    thread.notify("rawResponse/completed", {
      threadId: thread.id,
      turnId,
      responseId,
      usage: last,
      ...(cost !== undefined && { usageMetadata: { amount: String(cost), metadata: { currency: "USD" } } }),
    });
  if (last) {
    const before = thread.record.usage?.total;
    store(thread, turnId, { total: before ? plus(before, last) : last, last });
    notifyUsage(thread, turnId);
  }
  notifyLimits(thread, thread.limits);
}

/** Sets the context size when no response has reported it. Sends nothing. */
export function assumeContext(thread: Thread, turnId: string, totalTokens: number): void {
  const last = {
    totalTokens,
    inputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteInputTokens: 0,
    outputTokens: 0,
    reasoningOutputTokens: 0,
  };
  store(thread, turnId, { total: thread.record.usage?.total ?? last, last });
}

function store(thread: Thread, turnId: string, counts: Pick<ThreadTokenUsage, "total" | "last">): void {
  const usage = { ...counts, modelContextWindow: thread.config.contextWindow };
  thread.event({ kind: "token_usage", turnId, usage });
}

interface Listener {
  notify<M extends "thread/tokenUsage/updated">(method: M, params: ServerNotifications[M]): void;
}

/** Sends the thread's usage, if any, to all subscribers or to one connection. */
export function notifyUsage(thread: Thread, turnId: string, to: Listener = thread): void {
  const { usage } = thread.record;
  if (usage) to.notify("thread/tokenUsage/updated", { threadId: thread.id, turnId, tokenUsage: usage });
}

/** Sends the limits, if any are known. */
export function notifyLimits(thread: Thread, limits: RateLimitSnapshot | undefined): void {
  if (limits) thread.notify("account/rateLimits/updated", { rateLimits: limits });
}

function plus(a: TokenUsageBreakdown, b: TokenUsageBreakdown): TokenUsageBreakdown {
  return {
    totalTokens: a.totalTokens + b.totalTokens,
    inputTokens: a.inputTokens + b.inputTokens,
    cachedInputTokens: a.cachedInputTokens + b.cachedInputTokens,
    cacheWriteInputTokens: (a.cacheWriteInputTokens ?? 0) + (b.cacheWriteInputTokens ?? 0),
    outputTokens: a.outputTokens + b.outputTokens,
    reasoningOutputTokens: a.reasoningOutputTokens + b.reasoningOutputTokens,
  };
}
