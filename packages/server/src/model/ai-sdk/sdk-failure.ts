import { isTable, type Table } from "../../lib/table.ts";
import { reasonOf } from "../attempt/connect.ts";
import { disconnected, Failure } from "../failure.ts";
import { codedFailure, wireFailure } from "./wire-failure.ts";

/** The failure for an error with which the AI SDK rejects a request. */
export function requestFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const fields = fieldsOf(error);
  const { statusCode, responseBody, responseHeaders, url } = fields;
  if (typeof statusCode === "number" && statusCode >= 400) {
    return wireFailure({
      status: statusCode,
      statusText: "",
      headers: new Headers(isTable(responseHeaders) ? (responseHeaders as Record<string, string>) : {}),
      body: typeof responseBody === "string" && responseBody !== "" ? responseBody : reasonOf(error),
      url: typeof url === "string" ? url : "",
    });
  }
  // The SDK wraps the errors of a connection.
  if (fields.isRetryable === true) {
    const info = { httpConnectionFailed: { httpStatusCode: null } };
    return new Failure(`Connection failed: ${reasonOf(error)}`, info, { retry: "both" });
  }
  return new Failure(reasonOf(error), "other");
}

/** The failure for an error within a stream, or of reading it. */
export function streamFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const fields = fieldsOf(error);
  if (typeof fields.statusCode === "number" && fields.statusCode >= 400) return requestFailure(error);
  if (fields.name === "AI_TypeValidationError") return disconnected(notUnderstood(fields.value));
  const inner = isTable(fields.error) ? fields.error : fields;
  const { code: status } = inner;
  // Routers have answered with 200 when the provider behind them fails.
  if (typeof status === "number" && status >= 400 && status < 600)
    return requestFailure({ statusCode: status, responseBody: JSON.stringify({ error: inner }) });
  const said = typeof inner.message === "string" ? inner.message : reasonOf(error);
  const code = [inner.code, inner.status, inner.type].find((value) => typeof value === "string");
  return codedFailure(typeof code === "string" ? code : null, said) ?? disconnected(said);
}

/** The package's own words are as long as the event, and name each form that it could have had. */
function notUnderstood(event: unknown): string {
  return `the provider sent what its API does not have: ${(JSON.stringify(event) ?? "nothing").slice(0, 300)}`;
}

function fieldsOf(error: unknown): Table {
  if (error instanceof Error) return { ...error, name: error.name, message: error.message };
  return isTable(error) ? error : { message: String(error) };
}
