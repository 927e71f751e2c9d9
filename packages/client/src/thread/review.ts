import { isItem, type ReviewStartParams, type ReviewTarget, type ThreadItem, type Turn } from "@quire/protocol";
import type { TurnResult } from "../turn/turn-result.ts";
import type { TurnParts } from "../turn/turn-stream.ts";
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
  /** Interrupts the review and rejects when it takes longer than this. Default: the client's `turnTimeoutMs`. */
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

/** Starts a review, and gives the parts of its handle. */
export async function startReview(
  host: TurnHost & { readonly registry: ThreadRegistry },
  state: ThreadState,
  { target, delivery, ...limits }: ReviewOptions,
): Promise<TurnParts<ReviewResult>> {
  const params = { threadId: state.id, target, ...(delivery !== undefined && { delivery }) } as ReviewStartParams;
  limits.signal?.throwIfAborted();
  if (delivery === "detached") return detached(host, params, limits);
  const start = async () => (await host.port.request("review/start", params)).turn.id;
  return followTurn(host, state, start, { ...limits, finish: async (done) => toReview(done, state.id) });
}

/** The thread of a detached review is not known before the reply, so its turn is waited for from then on. */
async function detached(
  host: TurnHost & { readonly registry: ThreadRegistry },
  params: ReviewStartParams,
  options: Omit<ReviewOptions, "target" | "delivery">,
): Promise<TurnParts<ReviewResult>> {
  const early = host.registry.holdUnknown();
  try {
    const { reviewThreadId, turn } = await host.port.request("review/start", params);
    const review = host.registry.of(reviewThreadId);
    const finish = async (done: TurnResult) => toReview(done, reviewThreadId);
    const parts = followTurn(host, review, async () => turn.id, { ...options, finish });
    await parts.log;
    early.release(reviewThreadId);
    return parts;
  } finally {
    early.release();
  }
}

function toReview({ turn, items, agentMessage }: TurnResult, reviewThreadId: string): ReviewResult {
  const exited = items.filter((item) => isItem(item, "exitedReviewMode")).at(-1);
  return { turn, reviewText: exited?.review ?? findingsText(agentMessage), reviewThreadId, items };
}

/** The reviewer's answer as text. From 0.147 to 0.150, a detached review ends without it and leaves the model's JSON. */
function findingsText(answer: string): string {
  const review = parsedFields(answer);
  if (typeof review.overall_explanation !== "string" || !Array.isArray(review.findings)) return answer;
  const findings = review.findings.map((finding) => {
    const { title, body, code_location } = fields(finding);
    const { absolute_file_path: file, line_range } = fields(code_location);
    const { start, end = start } = fields(line_range);
    const where = file === undefined ? "" : ` — ${file}${start === undefined ? "" : `:${start}-${end}`}`;
    return `- ${title}${where}\n  ${String(body ?? "").replaceAll("\n", "\n  ")}`.trimEnd();
  });
  return [review.overall_explanation, ...findings].join("\n\n").trim();
}

function parsedFields(json: string): Record<string, unknown> {
  try {
    return fields(JSON.parse(json));
  } catch {
    return {};
  }
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
