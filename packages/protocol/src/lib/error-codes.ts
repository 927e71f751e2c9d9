/** The numeric codes in the errors that an app-server sends. */
export const ErrorCodes = {
  /** The line was no JSON. */
  parseError: -32700,
  /** Badly shaped, unknown to Codex, sent before `initialize`, or naming a thread that is not there. */
  invalidRequest: -32600,
  /** No such method. */
  methodNotFound: -32601,
  /** The params do not fit the method. */
  invalidParams: -32602,
  /** The server tried and failed. */
  internalError: -32603,
  /** The server is too busy and did not begin: try again later. */
  overloaded: -32001,
} as const;

/** A code in {@link ErrorCodes}. */
export type ErrorCodeValue = (typeof ErrorCodes)[keyof typeof ErrorCodes];

/** True if the server did nothing and the same call may succeed later. */
export const isOverloaded = (error: { readonly code: number }): boolean => error.code === ErrorCodes.overloaded;
