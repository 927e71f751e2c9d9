export type {
  ClientNotifications,
  ClientRequests,
  MethodName,
  RequestName,
  ServerNotifications,
  ServerRequests,
} from "./generated/method-types.ts";
export type * from "./generated/types.ts";
export { ErrorCodes, type ErrorCodeValue, isOverloaded } from "./lib/error-codes.ts";
export type { MethodRow, Scope } from "./lib/method-row.ts";
export { shellScript } from "./lib/shell-script.ts";
export { type TypedInput, typedInput } from "./lib/typed-input.ts";
export { compareVersions, parseUserAgent } from "./lib/version-number.ts";
export { type VisibleHost, visibleHost } from "./lib/visible-host.ts";
export { visibleKeys } from "./lib/visible-keys.ts";
export { type VisibleOptions, type VisiblePart, visibleParts, visibleText } from "./lib/visible-text.ts";
export { codexVersion, quireVersion } from "./version.ts";
export {
  type CodexErrorKind,
  codexErrorDetails,
  codexErrorHttpStatus,
  codexErrorKind,
} from "./wire/codex-error-info.ts";
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
} from "./wire/items.ts";
export type { ClientMethods, ServerMethods, ServerNotification, ServerRequest } from "./wire/method-tables.ts";
export { type EndedTurn, isEnded, isTerminalTurnStatus, type TerminalTurnStatus, turnStatuses } from "./wire/turns.ts";
