/** Answers to a server's requests, for programs with a connection of their own, and the types of the requests. */
export type { Answer, ApprovalDecision } from "./questions/answer.ts";
export { type AnswerContext, answerServerRequest } from "./questions/answer-server-request.ts";
export type { CommandInput, GrantOptions } from "./questions/approval-requests.ts";
export { Approvals, type OpenApproval } from "./questions/approvals.ts";
export type { ApprovalHandlers, QuestionHandler } from "./questions/handlers.ts";
export { nonInteractiveAnswer, type QuestionPolicy } from "./questions/policies.ts";
export type {
  AcceptElicitationOptions,
  AttestationRequest,
  AuthRefreshRequest,
  UserInputAnswers,
} from "./questions/requests.ts";
