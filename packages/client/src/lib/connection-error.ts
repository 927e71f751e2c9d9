import { ConnectionError } from "@quire/jsonrpc";

/** Makes a new error of one that is shared, so that each call has its own stack and its own `mayHaveRun`. */
export function connectionErrorFrom(shared: ConnectionError, mayHaveRun?: boolean): ConnectionError {
  const { code, message, exitCode, signal, stderr } = shared;
  const cause = originOf(shared);
  return new ConnectionError(code, message, {
    exitCode,
    signal,
    stderr,
    ...(cause !== undefined && { cause }),
    ...(mayHaveRun !== undefined && { mayHaveRun }),
  });
}

/** The cause behind all copies of an error: each of them would only repeat the message where it is printed. */
function originOf(error: ConnectionError): unknown {
  let origin: unknown = error;
  while (ConnectionError.is(origin) && origin.message === error.message) origin = origin.cause;
  return origin;
}
