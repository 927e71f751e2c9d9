export { type CallArguments, Connection } from "./connection.ts";
export type {
  ConnectionOptions,
  NotificationHandler,
  RequestContext,
  RequestHandler,
  RequestOptions,
} from "./connection-options.ts";
export { EncodedResult } from "./encoded-result.ts";
export { ConnectionError, type ConnectionErrorCode, type ConnectionErrorOptions, RpcError } from "./errors.ts";
export { LineReader } from "./framing.ts";
export {
  ErrorCode,
  type ErrorObject,
  type Message,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResponseMessage,
} from "./message.ts";
export type {
  AnyMethods,
  MethodTable,
  NotificationMethod,
  ParamsOf,
  RequestMethod,
  RequestType,
  ResultOf,
} from "./method-table.ts";
export { checkMessage, MalformedMessage, type RawMessage } from "./parse-message.ts";
export { tapped } from "./tapped.ts";
export { defaultMaxMessageBytes, highWaterMark, type Transport, type TransportSink } from "./transport.ts";
