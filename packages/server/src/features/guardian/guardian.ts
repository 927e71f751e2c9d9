import type { GuardianApprovalReview } from "@quire/protocol";
import type { ReviewContext, ReviewedAction, Reviewer, ReviewVerdict } from "../../approval/reviewer.ts";
import { errorMessage } from "../../lib/error-message.ts";
import { saidItems } from "../../record/context.ts";
import type { Thread } from "../../thread/thread.ts";
import type { Assessment } from "./assessment.ts";
import { DenialCount } from "./denial-count.ts";
import { reviewRequest } from "./guardian-prompt.ts";
import { ModelReviewer } from "./model-reviewer.ts";
import { transcriptOf } from "./review-transcript.ts";

const reviewMs = 90_000;

/** Decides in a user's place by asking the model. Denies in doubt. One for each thread. */
export class Guardian implements Reviewer {
  readonly #thread: Thread;
  readonly #denials = new DenialCount();

  constructor(thread: Thread) {
    this.#thread = thread;
  }

  async review(action: ReviewedAction, context: ReviewContext): Promise<ReviewVerdict> {
    const startedAtMs = Date.now();
    const named = { reviewId: crypto.randomUUID(), targetItemId: action.itemId, action: action.shown, startedAtMs };
    const pending = { status: "inProgress", riskLevel: null, userAuthorization: null, rationale: null } as const;
    context.notify("item/autoApprovalReview/started", { ...named, review: pending });
    const { review, verdict } = await this.#judge(action, context);
    if (review.status !== "aborted") this.#warn(warning(review));
    const completedAtMs = Date.now();
    context.notify("item/autoApprovalReview/completed", { ...named, review, decisionSource: "agent", completedAtMs });
    return verdict;
  }

  /** Counts a verdict once its item has ended. Too many denials end the turn. */
  count(verdict: ReviewVerdict, context: ReviewContext): void {
    if (context.signal.aborted) return;
    const tooMany = this.#denials.add(context.turnId, !verdict.approved);
    if (tooMany === undefined) return;
    this.#warn(
      `Automatic approval review rejected too many approval requests for this turn (${tooMany}); interrupting the turn.`,
    );
    context.interrupt("the reviewer has denied too many actions");
  }

  async #judge(
    action: ReviewedAction,
    context: ReviewContext,
  ): Promise<{ readonly review: GuardianApprovalReview; readonly verdict: ReviewVerdict }> {
    const timeout = AbortSignal.timeout(reviewMs);
    const signal = AbortSignal.any([context.signal, timeout]);
    try {
      const history = saidItems(this.#thread.record.history);
      const request = reviewRequest(transcriptOf(history), action.planned);
      const assessment = await new ModelReviewer(this.#thread, context.turnId, signal).assess(request);
      return { review: reviewOf(assessment), verdict: verdictOf(assessment) };
    } catch (error) {
      if (context.signal.aborted) return undecided("aborted", "the turn was interrupted");
      if (timeout.aborted) return undecided("timedOut", `it took longer than ${reviewMs / 1000} seconds`);
      return undecided("denied", errorMessage(error));
    }
  }

  #warn(message: string): void {
    this.#thread.notify("guardianWarning", { threadId: this.#thread.id, message });
  }
}

function reviewOf({ allowed, risk, authorization, rationale }: Assessment): GuardianApprovalReview {
  const status = allowed ? "approved" : "denied";
  return { status, riskLevel: risk, userAuthorization: authorization, rationale };
}

function verdictOf({ allowed, rationale }: Assessment): ReviewVerdict {
  if (allowed) return { approved: true };
  const reason = `An automatic review has denied this action: ${rationale}\nDo not reach the same effect in another way. Choose a safer one, or tell the user about the risk and ask.`;
  return { approved: false, reason };
}

function undecided(status: "aborted" | "timedOut" | "denied", why: string) {
  const rationale = `Automatic approval review failed: ${why}`;
  const reason = `${rationale}\nThe action was not carried out. That says nothing about whether it is safe: do not work around the review; ask the user.`;
  return {
    review: { status, riskLevel: null, userAuthorization: null, rationale },
    verdict: { approved: false, reason } as const,
  };
}

function warning({ status, riskLevel, userAuthorization, rationale }: GuardianApprovalReview): string {
  if (!riskLevel) return rationale ?? "";
  return `Automatic approval review ${status} (risk: ${riskLevel}, authorization: ${userAuthorization}): ${rationale}`;
}
