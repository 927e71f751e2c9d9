import { ConnectionError } from "@quire/jsonrpc";

/** Makes a new error of one that is shared, so that each call has its own stack and its own `mayHaveRun`. */
export function connectionErrorFrom(cause: ConnectionError, mayHaveRun?: boolean): ConnectionError {
  const { code, message, exitCode, signal, stderr } = cause;
  return new ConnectionError(code, message, {
    exitCode,
    signal,
    stderr,
    cause,
    ...(mayHaveRun !== undefined && { mayHaveRun }),
  });
}
