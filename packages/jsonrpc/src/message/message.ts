/** An id as it travels: a reply carries the very id of its request, number or string. */
export type RequestId = number | string;

/** A call that expects exactly one reply. */
export interface RequestMessage {
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}

/** A call that expects no reply. Members besides `params` are kept. */
export interface NotificationMessage {
  readonly method: string;
  readonly params?: unknown;
}

/** The error member of a failed reply. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** A reply: either `result` or `error`. */
export interface ResponseMessage {
  readonly id: RequestId | null;
  readonly result?: unknown;
  readonly error?: ErrorObject;
}

/** Any message that a line may hold. */
export type Message = RequestMessage | NotificationMessage | ResponseMessage;

/** The numeric codes that this layer itself sends. */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  overloaded: -32001,
} as const;
