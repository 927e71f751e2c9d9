import type { ChatgptAuthTokensRefreshResponse } from "@quire/protocol";
import type { Answer, ApprovalDecision } from "./answer.ts";
import type { ApprovalRequest, CommandApproval, FileChangeApproval, PermissionsApproval } from "./approval-requests.ts";
import type {
  AttestationRequest,
  AuthRefreshRequest,
  ElicitationRequest,
  UserInputAnswers,
  UserInputRequest,
} from "./requests.ts";

/** Answers a question: with what a method of the request gives, or with a shorthand for it. */
export type QuestionHandler<Request, Shorthand> = (
  request: Request,
) => Answer | Shorthand | Promise<Answer | Shorthand>;

/** Approvals by kind. */
export interface ApprovalHandlers {
  /** Asked before a command runs. */
  readonly command?: QuestionHandler<CommandApproval, ApprovalDecision> | undefined;
  /** Asked before files are changed. */
  readonly fileChange?: QuestionHandler<FileChangeApproval, ApprovalDecision> | undefined;
  /** Asked for more permissions. */
  readonly permissions?: QuestionHandler<PermissionsApproval, ApprovalDecision> | undefined;
}

/**
 * Handlers of the server's questions. A question without a handler is declined, with a warning; so is one whose handler
 * throws or gives nothing. `policies` has ready-made sets.
 */
export interface QuestionHandlers {
  /** Decides on commands, file changes and permissions: one function for all, or one for each. */
  readonly onApproval?: QuestionHandler<ApprovalRequest, ApprovalDecision> | ApprovalHandlers | undefined;
  /** Answers what the model asks the user. */
  readonly onUserInput?: QuestionHandler<UserInputRequest, UserInputAnswers> | undefined;
  /** Answers what MCP servers ask the user, and whether their tools may be called. */
  readonly onElicitation?: QuestionHandler<ElicitationRequest, "accept" | "decline" | "cancel"> | undefined;
  /** Gets new ChatGPT tokens, where this program manages them. */
  readonly onAuthRefresh?:
    | ((request: AuthRefreshRequest) => ChatgptAuthTokensRefreshResponse | Promise<ChatgptAuthTokensRefreshResponse>)
    | undefined;
  /** Gives a token that attests this client. Asked only of clients with the capability `requestAttestation`. */
  readonly onAttestation?: ((request: AttestationRequest) => string | Promise<string>) | undefined;
}
