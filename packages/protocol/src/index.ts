export {
  type CodexErrorKind,
  codexErrorDetails,
  codexErrorHttpStatus,
  codexErrorKind,
} from "./codex-error-info.ts";
export { ErrorCodes, type ErrorCodeValue, isOverloaded } from "./error-codes.ts";
export type {
  ClientNotifications,
  ClientRequests,
  ServerNotifications,
  ServerRequests,
} from "./generated/method-types.ts";
export type * from "./generated/types.ts";
export {
  type ItemStatus,
  isAgentMessage,
  isCommandExecution,
  isDynamicToolCall,
  isFileChange,
  isItem,
  isMcpToolCall,
  isReasoning,
  isTerminalItemStatus,
  isUserMessage,
  itemStatus,
  type ThreadItemOf,
  type ThreadItemType,
} from "./items.ts";
export type { MethodName, MethodRow, RequestName, Scope } from "./method-row.ts";
export type { ClientMethods, ServerMethods, ServerNotification, ServerRequest } from "./method-tables.ts";
export { quireVersion } from "./quire-version.ts";
export { shellScript } from "./shell-script.ts";
export { type EndedTurn, isEnded, isTerminalTurnStatus, type TerminalTurnStatus, turnStatuses } from "./turns.ts";
export { compareVersions, parseUserAgent } from "./version-number.ts";
export { type VisibleHost, visibleHost } from "./visible-host.ts";
export { type VisibleOptions, type VisiblePart, visibleParts, visibleText } from "./visible-text.ts";
