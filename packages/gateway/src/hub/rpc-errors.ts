import { ConnectionError, ErrorCode, type ErrorObject, RpcError } from "@quire/jsonrpc";
import type { HubInfo } from "@quire/protocol/gateway";

/** Code of what fails in the gateway, before or after the server. */
const gatewayError = -32000;

/** The error for a request to a hub that is not ready. */
export function notReady({ name, state, error }: HubInfo): ErrorObject {
  const why = error === null ? "" : `: ${error}`;
  return { code: gatewayError, message: `${name} is ${state}${why}` };
}

/** The error that a page gets for a failed request. */
export function errorObject(error: unknown): ErrorObject {
  if (RpcError.is(error)) return error.toErrorObject();
  if (!ConnectionError.is(error)) return { code: gatewayError, message: String(error) };
  const code = error.code === "overloaded" ? ErrorCode.overloaded : gatewayError;
  return { code, message: error.message, data: { mayHaveRun: error.mayHaveRun } };
}
