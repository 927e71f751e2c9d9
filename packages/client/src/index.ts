export { ConnectionError, type ConnectionErrorCode, RpcError, type Transport } from "@quire/jsonrpc";
export { LoginError } from "./account/login-error.ts";
export { Paged, type PageOptions } from "./calls/paged.ts";
export { pages } from "./calls/pages.ts";
export type {
  CompletedReview,
  CompletedTurn,
  ExecCommandParams,
  ExecCommandResult,
  FileChange,
  JsonRpcError,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  ListModelsParams,
  ListThreadsParams,
  ModelInfo,
  ModelListResult,
  PlanEntry,
  ResumeThreadParams,
  ReviewTarget,
  SandboxPolicy,
  StartThreadParams,
  Thread,
  ThreadItem,
  ThreadListResult,
  Turn,
} from "./client/classic-types.ts";
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
  ServerAddress,
  SpawnOptions,
  TransportSource,
} from "./client/client-options.ts";
export type { Dialer } from "./client/dial.ts";
export { WithdrawnError } from "./client/question-desk.ts";
export type { ClientState, ReconnectOptions } from "./link/link-options.ts";
export { OutputError } from "./output/output-error.ts";
export type { ClientWarning } from "./port/client-warning.ts";
export type { CallOptions, ServerPort } from "./port/server-port.ts";
export type { ApprovalPolicy, Sandbox, SandboxPolicyInput } from "./port/spelling.ts";
export type { Tracer } from "./port/telemetry.ts";
export type {
  ApprovalRequest,
  CommandApproval,
  FileChangeApproval,
  PermissionsApproval,
} from "./questions/approval-requests.ts";
export type { QuestionHandlers } from "./questions/handlers.ts";
export { policies } from "./questions/policies.ts";
export type { ElicitationRequest, UserInputRequest } from "./questions/requests.ts";
export { type JsonSchema, jsonSchema } from "./schema/json-schema.ts";
export { SchemaError } from "./schema/schema-error.ts";
export type { SchemaInput } from "./schema/schema-input.ts";
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
export { TurnStream } from "./turn/turn-stream.ts";
