import type { GuardianApprovalReviewAction, ServerNotifications } from "@quire/protocol";

/** An action that somebody has to allow. */
export interface ReviewedAction {
  readonly itemId: string;
  /** As clients are shown it. */
  readonly shown: GuardianApprovalReviewAction;
  /** As the reviewer is shown it: all that there is to know. */
  readonly planned: object;
}

/** What came of a review. */
export type ReviewVerdict =
  | { readonly approved: true }
  /** `reason`: what the model is told. */
  | { readonly approved: false; readonly reason: string };

/** The call for which an action is reviewed. */
export interface ReviewContext {
  readonly turnId: string;
  readonly signal: AbortSignal;
  notify<M extends keyof ServerNotifications>(
    method: M,
    params: Omit<ServerNotifications[M], "threadId" | "turnId">,
  ): void;
  interrupt(why: string): void;
}

/** Decides in a user's place. */
export interface Reviewer {
  /** Reviews an action and tells the clients. Never rejects. */
  review(action: ReviewedAction, context: ReviewContext): Promise<ReviewVerdict>;
  /** Counts what came of a review, once its item has ended. */
  count(verdict: ReviewVerdict, context: ReviewContext): void;
}
