import type { Answer, ApprovalDecision } from "../questions/answer.ts";
import type { ApprovalRequest } from "../questions/approval-requests.ts";
import type { QuestionHandler, QuestionHandlers } from "../questions/handlers.ts";

type Decision = Answer | ApprovalDecision;

/** Looks at an approval before anybody else does. What it returns is the answer; nothing passes the question on. */
export type BeforeApproval = (request: ApprovalRequest) => Decision | undefined | Promise<Decision | undefined>;

/**
 * A handler that asks the hook first, and `next` if the hook returned nothing. Without `next` it declines then.
 *
 * ```ts
 * const onApproval = beforeApproval((request) => (request.kind === "command" ? "decline" : undefined), askUser);
 * ```
 */
export function beforeApproval(
  hook: BeforeApproval,
  next?: QuestionHandlers["onApproval"],
): QuestionHandler<ApprovalRequest, ApprovalDecision> {
  return async (request) => (await hook(request)) ?? passOn(request, next);
}

function passOn(request: ApprovalRequest, next: QuestionHandlers["onApproval"]): Decision | Promise<Decision> {
  if (typeof next === "function") return next(request);
  const handler = next?.[request.kind] as QuestionHandler<ApprovalRequest, ApprovalDecision> | undefined;
  return handler?.(request) ?? request.decline();
}
