import { TrackerError } from "../../tracker/tracker-error.ts";
import { asList, asObject, type JsonObject, text } from "../records/normalize.ts";
import { boundedFetch, parseJson, type WireResponse } from "../remote/bounded-fetch.ts";
import { numberHeader, RateGate, retryAfterMs } from "../remote/rate-gate.ts";
import { withoutSecret } from "../remote/redact.ts";
import type { LinearSettings } from "./settings.ts";

/** A GraphQL operation. */
export interface LinearRequest {
  readonly query: string;
  readonly variables?: JsonObject | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Linear's response: data, errors, or both. */
export interface LinearAnswer {
  readonly status: number;
  readonly data: JsonObject | null;
  readonly errors: readonly unknown[];
}

/** Speaks Linear's GraphQL API with the credential of the host. */
export class LinearClient {
  readonly settings: LinearSettings;
  readonly #gate = new RateGate("Linear");

  constructor(settings: LinearSettings) {
    this.settings = settings;
  }

  /** Sends an operation and returns the answer, errors included; only a limit, the network and non-JSON throw. */
  async send({ query, variables = {}, signal }: LinearRequest): Promise<LinearAnswer> {
    this.#gate.check();
    const response = await boundedFetch({
      method: "POST",
      url: this.settings.endpoint,
      headers: { "content-type": "application/json", authorization: this.settings.apiKey },
      body: JSON.stringify({ query, variables }),
      signal,
    });
    const answer = answerOf(response);
    if (isLimited(answer)) throw this.#gate.close(this.#wait(response.headers));
    return answer;
  }

  /** The data of a query that has to succeed as a whole: a partial answer is an error. */
  async query(request: LinearRequest): Promise<JsonObject> {
    const { status, data, errors } = await this.send(request);
    if (errors.length > 0) throw failed(status, errors, this.settings.apiKey);
    if (status !== 200)
      throw new TrackerError("tracker_status", `Linear answered ${status}. ${remedy(status)}`, { status });
    if (data === null) throw new TrackerError("tracker_response", "Linear's response has no data.");
    return data;
  }

  /** Linear counts requests and complexity; the limit that is used up says when it is filled again, in ms since 1970. */
  #wait(headers: Headers): number | undefined {
    const asked = retryAfterMs(headers);
    if (asked !== undefined) return asked;
    for (const kind of ["requests", "complexity", "endpoint-requests"]) {
      if (numberHeader(headers, `x-ratelimit-${kind}-remaining`) !== 0) continue;
      const reset = numberHeader(headers, `x-ratelimit-${kind}-reset`);
      if (reset !== undefined) return this.#gate.until(reset / 1000);
    }
    return undefined;
  }
}

function answerOf({ status, text: body }: WireResponse): LinearAnswer {
  if (status >= 500 || status === 429) return { status, data: null, errors: [] };
  const parsed = asObject(parseJson(body, `Linear (status ${status})`));
  if (parsed === undefined) throw new TrackerError("tracker_response", "Linear's response is not a JSON object.");
  return { status, data: asObject(parsed.data) ?? null, errors: asList(parsed.errors) };
}

/** Linear answers 400 with the code `RATELIMITED` where others answer 429. */
function isLimited({ status, errors }: LinearAnswer): boolean {
  return status === 429 || errors.some((error) => codeOf(error) === "RATELIMITED");
}

function codeOf(error: unknown): string | null {
  return text(asObject(asObject(error)?.extensions)?.code);
}

function failed(status: number, errors: readonly unknown[], secret: string): TrackerError {
  const [first] = errors;
  const message = withoutSecret(text(asObject(first)?.message) ?? "no message", secret);
  const authentication = status === 401 || codeOf(first) === "AUTHENTICATION_ERROR";
  const hint = authentication ? ` ${remedy(401)}` : "";
  const category = status === 200 ? "tracker_response" : "tracker_status";
  return new TrackerError(category, `Linear answered ${status} with an error: ${message.slice(0, 300)}.${hint}`, {
    status,
  });
}

function remedy(status: number): string {
  if (status === 401 || status === 403) return "The API key is wrong or has been revoked: make a new one.";
  return "The next poll will retry.";
}
