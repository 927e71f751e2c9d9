import { isItem, type ReviewStartParams, type ReviewTarget, type ThreadItem, type Turn } from "@quire/protocol";
import type { TurnResult } from "../turn/turn-result.ts";
import { followTurn, type TurnHost } from "./run-turn.ts";
import type { ThreadRegistry } from "./thread-registry.ts";
import type { ThreadState } from "./thread-state.ts";

/** The target of a review, and its options. */
export interface ReviewOptions {
  readonly target: ReviewTarget;
  /** `inline` on the thread itself, or `detached` on a thread of its own, which Codex had until 0.166. */
  readonly delivery?: "inline" | "detached" | undefined;
  /** Aborting interrupts the review and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Interrupts the review and rejects when it takes longer than this. Default: no limit. */
  readonly timeoutMs?: number | undefined;
  /** Gives the review up after this long without any event. Default: the client's `turnIdleTimeoutMs`. */
  readonly idleTimeoutMs?: number | undefined;
}

/** The result of a review. */
export interface ReviewResult {
  readonly turn: Turn;
  /** The reviewer's text. */
  readonly reviewText: string;
  /** The thread that the review ran on; another one than asked for when it was detached. */
  readonly reviewThreadId: string;
  readonly items: readonly ThreadItem[];
}

/** Runs a review to its end. */
export async function runReview(
  host: TurnHost & { readonly registry: ThreadRegistry },
  state: ThreadState,
  { target, delivery, ...limits }: ReviewOptions,
): Promise<ReviewResult> {
  const params = { threadId: state.id, target, ...(delivery !== undefined && { delivery }) } as ReviewStartParams;
  limits.signal?.throwIfAborted();
  if (delivery === "detached") return detached(host, params, limits);
  const start = async () => (await host.port.request("review/start", params)).turn.id;
  const result = await followTurn(host, state, start, { ...limits, finish: async (done) => done });
  return toReview(result, state.id);
}

/** The thread of a detached review is not known before the reply, so its turn is waited for from then on. */
async function detached(
  host: TurnHost & { readonly registry: ThreadRegistry },
  params: ReviewStartParams,
  options: Omit<ReviewOptions, "target" | "delivery">,
): Promise<ReviewResult> {
  const early = host.registry.holdUnknown();
  try {
    const { reviewThreadId, turn } = await host.port.request("review/start", params);
    const review = host.registry.of(reviewThreadId);
    const handle = followTurn(host, review, async () => turn.id, { ...options, finish: async (done) => done });
    await handle.id;
    early.release(reviewThreadId);
    return toReview(await handle, reviewThreadId);
  } finally {
    early.release();
  }
}

function toReview({ turn, items, agentMessage }: TurnResult, reviewThreadId: string): ReviewResult {
  const exited = items.filter((item) => isItem(item, "exitedReviewMode")).at(-1);
  return { turn, reviewText: exited?.review ?? agentMessage, reviewThreadId, items };
}
