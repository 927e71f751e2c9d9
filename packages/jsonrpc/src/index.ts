export { type CallArguments, Connection } from "./connection/connection.ts";
export type {
  ConnectionOptions,
  NotificationHandler,
  RequestContext,
  RequestHandler,
  RequestOptions,
} from "./connection/connection-options.ts";
export { PendingRequests } from "./connection/pending-requests.ts";
export { EncodedResult } from "./message/encoded-result.ts";
export { ConnectionError, type ConnectionErrorCode, type ConnectionErrorOptions, RpcError } from "./message/errors.ts";
export {
  ErrorCode,
  type ErrorObject,
  type Message,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from "./message/message.ts";
export type {
  AnyMethods,
  MethodTable,
  NotificationMethod,
  ParamsOf,
  RequestMethod,
  RequestType,
  ResultOf,
} from "./message/method-table.ts";
export { isNestedDeeper } from "./message/nesting.ts";
export { checkMessage, MalformedMessage, type RawMessage } from "./message/parse-message.ts";
export { LineReader } from "./transport/framing.ts";
export { tapTransport } from "./transport/tap-transport.ts";
export { defaultMaxMessageBytes, highWaterMark, type Transport, type TransportSink } from "./transport/transport.ts";
