import type { ErrorObject, Message, NotificationMessage, RequestMessage, ResponseMessage } from "@quire/jsonrpc";
import type {
  CommandExecParams,
  CommandExecResponse,
  FileUpdateChange,
  Model,
  ModelListParams,
  ThreadListParams,
  TurnPlanStep,
} from "@quire/protocol";
import type { ReviewResult } from "../thread/review.ts";
import type { ResumeOptions, StartOptions } from "../thread/start-params.ts";
import type { TurnResult } from "../turn/turn-result.ts";

export type {
  ModelListResponse as ModelListResult,
  ReviewTarget,
  SandboxPolicy,
  Thread,
  ThreadItem,
  ThreadListResponse as ThreadListResult,
  Turn,
} from "@quire/protocol";

/** Any message of the wire. */
export type JsonRpcMessage = Message;
/** A call. */
export type JsonRpcRequest = RequestMessage;
/** The reply to a call. */
export type JsonRpcResponse = ResponseMessage;
/** A message that gets no reply. */
export type JsonRpcNotification = NotificationMessage;
/** The error of a reply. */
export type JsonRpcError = ErrorObject;
/** A file that an agent changed. */
export type FileChange = FileUpdateChange;
/** A step of a plan. */
export type PlanEntry = TurnPlanStep;
/** Params of {@link CodexClient.startThread}. */
export type StartThreadParams = StartOptions;
/** Params of {@link CodexClient.resumeThread}. */
export type ResumeThreadParams = ResumeOptions;
/** Params of {@link CodexClient.listThreads}. */
export type ListThreadsParams = ThreadListParams;
/** Params of {@link CodexClient.listModels}. */
export type ListModelsParams = ModelListParams;
/** Params of {@link CodexClient.execCommand}. */
export type ExecCommandParams = CommandExecParams;
/** The result of {@link CodexClient.execCommand}. */
export type ExecCommandResult = CommandExecResponse;
/** The result of {@link CodexClient.runTurn}. */
export type CompletedTurn = TurnResult;
/** The result of {@link CodexClient.runReview}. */
export type CompletedReview = ReviewResult;
/** A model on offer. */
export type ModelInfo = Model;
