import { boundedWait, Failure, failureOfCode } from "./failure.ts";

/** An answer that is no stream. */
export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: string;
  readonly url: string;
}

/** The part of an unstructured body that goes into a message. */
const maxBodyChars = 1000;

/** The failure for an HTTP status other than 2xx. */
export function httpFailure(answer: HttpAnswer): Failure {
  const error = errorObject(answer.body);
  const said = error.message ?? excerpt(answer.body);
  const coded = failureOfCode(error.code ?? error.type, said);
  if (answer.status === 429) return tooManyRequests(answer, error, coded);
  if (answer.status === 400) return badRequest(answer, coded, said);
  if (answer.status >= 500) return serverFailure(answer, coded, said);
  return coded?.retry === "never" ? coded : unexpectedStatus(answer, said, "stream");
}

/** A failing server may do better at the next request. */
function serverFailure(answer: HttpAnswer, coded: Failure | undefined, said: string): Failure {
  const waitMs = coded?.waitMs ?? retryAfter(answer.headers);
  if (coded) {
    const retry = coded.retry === "never" ? "request" : "both";
    return new Failure(coded.message, coded.info, { retry, waitMs, details: coded.details });
  }
  if (answer.status !== 500) return unexpectedStatus(answer, said, "both");
  const message = "The model's server reports an internal error. Try again in a moment.";
  return new Failure(message, "internalServerError", { retry: "both", waitMs, details: said });
}

function unexpectedStatus(answer: HttpAnswer, said: string, retry: "stream" | "both"): Failure {
  const { status, headers } = answer;
  const words = answer.statusText === "" ? "<unknown status code>" : answer.statusText;
  const requestId = headers.get("x-request-id");
  const message = `unexpected status ${status} ${words}: ${said}, url: ${answer.url}`;
  return new Failure(
    requestId === null ? message : `${message}, request id: ${requestId}`,
    { httpConnectionFailed: { httpStatusCode: status } },
    { retry, httpStatus: status, waitMs: retryAfter(headers) },
  );
}

/** A bad request stays bad, however often it is sent. */
function badRequest(answer: HttpAnswer, coded: Failure | undefined, said: string): Failure {
  // The stock server calls a context that is too long `other` here; the code leaves no doubt, so we do not.
  if (coded) return new Failure(coded.message, coded.info, { details: coded.details });
  if (/does not represent a valid image/i.test(said)) {
    return new Failure("Invalid image in your last message. Please remove it and try again.", "badRequest");
  }
  return new Failure(answer.body.slice(0, 10 * maxBodyChars) || "bad request", "other", { httpStatus: 400 });
}

function tooManyRequests(answer: HttpAnswer, error: ApiError, coded: Failure | undefined): Failure {
  if (error.type === "usage_limit_reached" || error.code === "usage_limit_reached") {
    return new Failure(usageLimit(error.resetsAt, error.message ?? "no further reason given"), "usageLimitExceeded");
  }
  if (coded?.info === "usageLimitExceeded") return coded;
  const waitMs = retryAfter(answer.headers);
  // Retries only when the server says when: hammering a limit makes it last.
  return new Failure(
    `exceeded retry limit, last status: 429 ${answer.statusText}`,
    { responseTooManyFailedAttempts: { httpStatusCode: 429 } },
    {
      retry: waitMs === null ? "never" : "stream",
      httpStatus: 429,
      waitMs,
      details: error.message ?? excerpt(answer.body),
    },
  );
}

function excerpt(body: string): string {
  const text = body.trim();
  if (text === "") return "Unknown error";
  return text.length > maxBodyChars ? `${text.slice(0, maxBodyChars)}...` : text;
}

function usageLimit(resetsAt: number | null, said: string): string {
  const when = resetsAt === null ? "later" : `at ${new Date(resetsAt * 1000).toISOString()}`;
  return `You've hit your usage limit (${said}). Try again ${when}.`;
}

interface ApiError {
  readonly message: string | null;
  readonly code: string | null;
  readonly type: string | null;
  readonly resetsAt: number | null;
}

function errorObject(body: string): ApiError {
  const none = { message: null, code: null, type: null, resetsAt: null };
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return none;
  }
  if (typeof parsed !== "object" || parsed === null || !("error" in parsed)) return none;
  const error = parsed.error;
  if (typeof error === "string") return { ...none, message: error };
  if (typeof error !== "object" || error === null) return none;
  const fields: Readonly<Record<string, unknown>> = { ...error };
  const text = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);
  return {
    message: text(fields.message),
    code: text(fields.code),
    type: text(fields.type),
    resetsAt: resetTime(fields),
  };
}

function resetTime(fields: Readonly<Record<string, unknown>>): number | null {
  if (typeof fields.resets_at === "number") return fields.resets_at;
  return typeof fields.resets_in_seconds === "number" ? Math.round(Date.now() / 1000) + fields.resets_in_seconds : null;
}

/** `Retry-After` in seconds or as a date, or Azure's in milliseconds; bounded, so that no server can park a thread. */
export function retryAfter(headers: Headers): number | null {
  const exact = Number(headers.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(exact)) return boundedWait(exact);
  const value = headers.get("retry-after");
  if (value === null) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return boundedWait(seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : boundedWait(date - Date.now());
}
