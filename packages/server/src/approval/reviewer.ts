import type { GuardianApprovalReviewAction, ServerNotifications } from "@quire/protocol";

/** An action to review. */
export interface ReviewedAction {
  readonly itemId: string;
  /** The form for clients. */
  readonly shown: GuardianApprovalReviewAction;
  /** The form for the reviewer, with all details. */
  readonly planned: object;
}

/** The result of a review. */
export type ReviewVerdict =
  | { readonly approved: true }
  /** `reason` is for the model. */
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
  /** Reviews an action and notifies clients. Never rejects. */
  review(action: ReviewedAction, context: ReviewContext): Promise<ReviewVerdict>;
  /** Counts a verdict once its item has ended. */
  count(verdict: ReviewVerdict, context: ReviewContext): void;
}
