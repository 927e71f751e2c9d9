export { ConnectionError, type ConnectionErrorCode, RpcError, type Transport } from "@quire/jsonrpc";
export { type AccountApi, accountOf } from "./account/account.ts";
export type {
  BrowserLogin,
  DeviceCodeLogin,
  Login,
  LoginFor,
  LoginRequest,
} from "./account/login.ts";
export { LoginError } from "./account/login-error.ts";
export type { Call, List, MethodArguments } from "./calls/call.ts";
export type { CursorMethod, ItemOf, Page, TwoWayCursorMethod } from "./calls/cursor-methods.ts";
export { Paged, type PageOptions } from "./calls/paged.ts";
export { type CursorParams, pages } from "./calls/pages.ts";
export { type FetchPage, type PageRequest, paginate } from "./calls/paginate.ts";
export {
  CodexClient,
  CodexClient as default,
  type RunTurnParams,
  type StartReviewParams,
  type StartTurnParams,
  type SteerTurnParams,
} from "./client/client.ts";
export type { ClientEvents } from "./client/client-events.ts";
export type {
  CodexClientOptions,
  CommonOptions,
  ConnectOptions,
  Logger,
  SpawnOptions,
} from "./client/client-options.ts";
export type { Dialer } from "./client/dial.ts";
export { WithdrawnError } from "./client/question-desk.ts";
export { exec, execStream } from "./exec/exec.ts";
export { type Exec, execOf } from "./exec/exec-group.ts";
export { ExecHandle } from "./exec/exec-handle.ts";
export type { ExecExit, ExecOptions, ExecResult, ExecStreamOptions } from "./exec/exec-options.ts";
export { OutputStream } from "./exec/output-stream.ts";
export { type FileChanges, FileWatch, type WatchOptions } from "./fs/file-watch.ts";
export { FileSystem, type RecursiveOptions, type RemoveOptions } from "./fs/fs.ts";
export { Emitter } from "./lib/emitter.ts";
export type { ClientState, ReconnectOptions } from "./link/link-options.ts";
export type { Apps } from "./namespaces/apps.ts";
export type { Config } from "./namespaces/config.ts";
export type { Mcp, McpLogin } from "./namespaces/mcp.ts";
export type { Models } from "./namespaces/models.ts";
export { type Namespaces, namespacesOf } from "./namespaces/namespaces.ts";
export type { Plugins } from "./namespaces/plugins.ts";
export type { Search } from "./namespaces/search.ts";
export type { SearchResults, SearchSession } from "./namespaces/search-session.ts";
export type { Skills } from "./namespaces/skills.ts";
export type { Threads } from "./namespaces/threads.ts";
export type { Reviews, Turns } from "./namespaces/turns.ts";
export { OutputError } from "./output/output-error.ts";
export { type PreparedOutput, prepareOutput } from "./output/prepare-output.ts";
export type { ClientWarning } from "./port/client-warning.ts";
export type { CallOptions, ServerPort } from "./port/server-port.ts";
export type { ApprovalPolicy, Sandbox, SandboxPolicyInput } from "./port/spelling.ts";
export type { Tracer } from "./port/telemetry.ts";
export { Answer, type ApprovalDecision } from "./questions/answer.ts";
export type {
  ApprovalRequest,
  CommandApproval,
  CommandInput,
  FileChangeApproval,
  GrantOptions,
  PermissionsApproval,
} from "./questions/approval-requests.ts";
export type { ApprovalHandlers, QuestionHandler, QuestionHandlers } from "./questions/handlers.ts";
export { nonInteractiveAnswer, policies, type QuestionPolicy } from "./questions/policies.ts";
export type {
  AcceptElicitationOptions,
  AttestationRequest,
  AuthRefreshRequest,
  ElicitationRequest,
  UserInputAnswers,
  UserInputRequest,
} from "./questions/requests.ts";
export type { SchemaIssue } from "./schema/issue.ts";
export { type JsonSchema, jsonSchema, type TypedJsonSchema } from "./schema/json-schema.ts";
export { SchemaError } from "./schema/schema-error.ts";
export type { SchemaInput } from "./schema/schema-input.ts";
export type { StandardSchema } from "./schema/standard-schema.ts";
export { strictSchema } from "./schema/strict-schema.ts";
export { toJsonSchema } from "./schema/to-json-schema.ts";
export type { StrictSchema } from "./schema/to-strict.ts";
export { type Validated, validate } from "./schema/validate.ts";
export type { ReviewOptions, ReviewResult } from "./thread/review.ts";
export type { JsonOutputOptions, OutputOptions, RunOptions, TurnOptions } from "./thread/run-turn.ts";
export type { ResumeOptions, StartOptions, ThreadDefaults } from "./thread/start-params.ts";
export type { ThreadEventsOptions } from "./thread/thread-events.ts";
export { ThreadHandle } from "./thread/thread-handle.ts";
export { type Tool, type ToolContext, type ToolDefinition, type ToolNamespace, tool } from "./tools/tool.ts";
export type { ImagePart, TextPart, ToolOutput, ToolPart } from "./tools/tool-output.ts";
export { TurnError } from "./turn/turn-error.ts";
export type { TurnEvent, TurnMethod } from "./turn/turn-event.ts";
export { TurnHandle } from "./turn/turn-handle.ts";
export type { InputItem, TurnInput } from "./turn/turn-input.ts";
export type { TurnResult } from "./turn/turn-result.ts";
