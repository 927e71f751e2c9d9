import { parseJson } from "../../lib/bounded-json.ts";
import { isTable, type Table, valueAt } from "../../lib/table.ts";
import { boundedWait, Failure, failureOfCode } from "../failure.ts";
import { type HttpAnswer, retryAfter } from "../http-failure.ts";

const maxSaid = 2000;

/** The failure for an HTTP status of a provider of another wire, in the provider's own words. */
export function wireFailure(answer: HttpAnswer): Failure {
  const { status, headers } = answer;
  const error = errorOf(answer.body);
  const said = error.message.slice(0, maxSaid) || "no reason given";
  const coded = codedFailure(error.code, said);
  const waitMs = retryAfter(headers) ?? error.waitMs ?? coded?.waitMs ?? null;
  if (status === 429) return tooMany(said, coded, waitMs);
  if (coded?.info === "contextWindowExceeded" || coded?.info === "modelNotFound") return coded;
  if (status < 500 && isOutOfMoney(said)) return new Failure(said, "usageLimitExceeded");
  if (status === 400 && isKey.test(said))
    return new Failure(`The provider refuses the login: ${said}`, "unauthorized", { httpStatus: 400 });
  if (status === 400 && isModel.test(said)) return new Failure(said, "modelNotFound", { httpStatus: 400 });
  if (status === 401)
    return new Failure(`The provider refuses the login: ${said}`, "unauthorized", { httpStatus: 401 });
  if (status === 403) return new Failure(`The provider refuses access: ${said}`, "unauthorized", { httpStatus: 403 });
  if (status === 402) return new Failure(said, "usageLimitExceeded");
  if (status === 404)
    return new Failure(`${said} (check the model and the provider's base_url)`, "modelNotFound", { httpStatus: 404 });
  if (status === 503 || status === 529)
    return new Failure(said, "serverOverloaded", { retry: "both", httpStatus: status, waitMs });
  if (status >= 500 || status === 408)
    return new Failure(said, "internalServerError", { retry: "both", httpStatus: status, waitMs });
  return new Failure(said, "badRequest", { httpStatus: status });
}

/** The failure for an error code of any provider; `undefined` without special meaning. */
export function codedFailure(code: string | null, said: string): Failure | undefined {
  if (isTooLong(said) || code === "context_length_exceeded") return tooLong(said);
  switch (code?.toLowerCase()) {
    case "overloaded_error":
    case "unavailable":
      return new Failure(said, "serverOverloaded", { retry: "stream" });
    case "api_error":
    case "internal":
    case "server_error":
      return new Failure(said, "internalServerError", { retry: "stream" });
    case "rate_limit_error":
    case "resource_exhausted":
      return new Failure(said, "rateLimitExceeded", { retry: "stream" });
    case "billing_error":
      return new Failure(said, "usageLimitExceeded");
    default:
      return failureOfCode(code, said);
  }
}

/** Providers have words for it, but hardly any a code. */
function isTooLong(said: string): boolean {
  return /prompt is too long|maximum context length|context (?:length|window|size)[^.]{0,40}exceed|exceed[^.]{0,60}context (?:length|window|size)|input token count[^.]{0,40}exceeds/i.test(
    said,
  );
}

/** The provider's own words say by how much. */
function tooLong(details: string): Failure | undefined {
  const failure = failureOfCode("context_length_exceeded", details);
  return failure && new Failure(failure.message, failure.info, { details });
}

/** Google calls a wrong key a bad request. */
const isKey = /api key (?:not valid|expired|is invalid)|invalid api key/i;

/** Mistral and others call a wrong model one. */
const isModel = /^invalid model\b|\bmodel\b.{0,80}\b(?:not found|does not exist)\b/i;

/** Some providers have only a bad request or a refused access for it. */
function isOutOfMoney(said: string): boolean {
  return /credit balance is too low|insufficient (?:account )?(?:balance|credits?|funds)|used all (?:available|your) credits/i.test(
    said,
  );
}

/** Retries only when the provider says when: hammering a limit makes it last. */
function tooMany(said: string, coded: Failure | undefined, waitMs: number | null): Failure {
  if (coded?.info === "usageLimitExceeded") return coded;
  return new Failure(said, "rateLimitExceeded", {
    retry: waitMs === null ? "never" : "stream",
    httpStatus: 429,
    waitMs,
  });
}

interface ProviderError {
  readonly message: string;
  readonly code: string | null;
  readonly waitMs: number | null;
}

/** An error as providers write it: in an object, a list of one, or as bare text. */
function errorOf(body: string): ProviderError {
  let parsed: unknown;
  try {
    parsed = parseJson(body);
  } catch {
    return { message: body.trim(), code: null, waitMs: null };
  }
  const whole = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isTable(whole)) return { message: body.trim(), code: null, waitMs: null };
  const error: Table = isTable(whole.error) ? whole.error : whole;
  const message = [error.message, whole.error, whole.message, whole.detail].find((text) => typeof text === "string");
  const inner = valueAt(error, ["metadata", "raw"]);
  const code = [error.code, error.status, error.type].find((text) => typeof text === "string");
  return {
    message: typeof message === "string" ? withInner(message, inner) : body.trim(),
    code: typeof code === "string" ? code : null,
    waitMs: retryDelay(error.details),
  };
}

/** A router's own words say little: those of the provider behind it are within. */
function withInner(message: string, inner: unknown): string {
  if (typeof inner !== "string" || inner === "") return message;
  const said = errorOf(inner.slice(0, maxSaid)).message;
  return said === "" || said === message ? message : `${message}: ${said}`;
}

/** Google's wait: `{ retryDelay: "17s" }` among the details. */
function retryDelay(details: unknown): number | null {
  for (const detail of Array.isArray(details) ? details : []) {
    const seconds =
      isTable(detail) && typeof detail.retryDelay === "string" ? Number.parseFloat(detail.retryDelay) : Number.NaN;
    if (Number.isFinite(seconds)) return boundedWait(seconds * 1000);
  }
  return null;
}
