import { ErrorCode, RpcError } from "@quire/jsonrpc";

/** The client asked for something it cannot have; the message says why. */
export function invalidRequest(message: string, data?: unknown): RpcError {
  return new RpcError(
    data === undefined
      ? { code: ErrorCode.invalidRequest, message }
      : { code: ErrorCode.invalidRequest, message, data },
  );
}

/** A param that fits the schema but makes no sense. */
export function invalidParams(message: string): RpcError {
  return new RpcError({ code: ErrorCode.invalidParams, message });
}

/** The server failed to do its part. */
export function internalError(message: string): RpcError {
  return new RpcError({ code: ErrorCode.internalError, message });
}

/** A method that this server does not have. */
export function methodNotFound(method: string): RpcError {
  return new RpcError({ code: ErrorCode.methodNotFound, message: `Method not found: ${method}` });
}
