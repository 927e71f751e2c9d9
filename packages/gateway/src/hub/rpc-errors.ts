import { ConnectionError, ErrorCode, type ErrorObject, RpcError } from "@quire/jsonrpc";
import type { HubInfo } from "@quire/protocol/gateway";

/** Code of what fails in the gateway, before or after the server. */
const gatewayError = -32000;

/** What a page is told that asks a hub which is not ready. */
export function notReady({ name, state, error }: HubInfo): ErrorObject {
  const why = error === null ? "" : `: ${error}`;
  return { code: gatewayError, message: `${name} is ${state}${why}` };
}

/** What a page is told of a request that failed. */
export function errorObject(error: unknown): ErrorObject {
  if (RpcError.is(error)) return error.toErrorObject();
  if (!ConnectionError.is(error)) return { code: gatewayError, message: String(error) };
  const code = error.code === "overloaded" ? ErrorCode.overloaded : gatewayError;
  return { code, message: error.message, data: { mayHaveRun: error.mayHaveRun } };
}
