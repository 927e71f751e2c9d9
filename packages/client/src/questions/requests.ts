import type {
  ChatgptAuthTokensRefreshReason,
  McpElicitationSchema,
  McpServerElicitationRequestParams,
  ToolRequestUserInputParams,
  ToolRequestUserInputQuestion,
} from "@quire/protocol";
import type { Answer } from "./answer.ts";

/** Answers by question id: a text, the label of an option, or several. */
export type UserInputAnswers = Readonly<Record<string, string | readonly string[]>>;

/** The model asks the user. */
export interface UserInputRequest {
  readonly method: "item/tool/requestUserInput";
  /** The request as it came. */
  readonly params: ToolRequestUserInputParams;
  readonly threadId: string;
  readonly turnId: string;
  readonly itemId: string;
  readonly questions: readonly ToolRequestUserInputQuestion[];
  /** Aborted when the question has been withdrawn. */
  readonly signal: AbortSignal;
  /** Answers. A question without an answer counts as skipped. */
  answer(answers: UserInputAnswers): Answer;
  /** Skips all questions. */
  decline(): Answer;
}

/** Extras of an accepted elicitation. */
export interface AcceptElicitationOptions {
  /** For a tool's approval: remember it for the session, or always. */
  readonly persist?: "session" | "always" | undefined;
  /** Further metadata, as the wire has it. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
}

/** An MCP server asks the user, or Codex asks whether an MCP tool may be called. */
export interface ElicitationRequest {
  readonly method: "mcpServer/elicitation/request";
  /** The request as it came. */
  readonly params: McpServerElicitationRequestParams;
  readonly mode: McpServerElicitationRequestParams["mode"];
  readonly serverName: string;
  readonly threadId: string;
  readonly turnId: string | undefined;
  /** The message for the user. */
  readonly message: string;
  /** The form to fill in, in mode `form`. */
  readonly form: McpElicitationSchema | undefined;
  /** The page to open, in mode `url`. */
  readonly url: string | undefined;
  /** The kind of action that Codex wants approved, such as `mcp_tool_call`; undefined where the MCP server itself asks. */
  readonly approvalKind: string | undefined;
  /** Aborted when the question has been withdrawn. */
  readonly signal: AbortSignal;
  /** Agrees, with what the form asks for. */
  accept(content?: Readonly<Record<string, unknown>>, options?: AcceptElicitationOptions): Answer;
  /** Refuses. */
  decline(): Answer;
  /** Puts it away without an answer. */
  cancel(): Answer;
  /** Replies with whatever the wire allows. */
  respond(result: unknown): Answer;
}

/** The server needs new ChatGPT tokens from the program that manages them. */
export interface AuthRefreshRequest {
  readonly reason: ChatgptAuthTokensRefreshReason;
  /** The account that the server knows, if any. */
  readonly previousAccountId: string | undefined;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
}

/** The server needs a token that attests this client. */
export interface AttestationRequest {
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
}
