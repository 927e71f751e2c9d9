import { TrackerError } from "../../tracker/tracker-error.ts";
import { asObject, type JsonObject } from "../records/normalize.ts";
import { boundedFetch, parseJson, type WireResponse } from "../remote/bounded-fetch.ts";
import { RateGate, retryAfterMs } from "../remote/rate-gate.ts";

/** Entries in a page: GitLab's maximum. */
const pageSize = 100;
/** Pages that are followed at most. */
const maxPages = 20;
/** GitLab's level of members who may push: developers. */
const writerLevel = 30;

/** Address and credential of a project. */
export interface GitlabAccess {
  /** Without a slash at its end. */
  readonly url: string;
  readonly project: string;
  readonly token: string;
  /** Section of the workflow that names them, for errors: `tracker.provider`. */
  readonly section: string;
}

interface SendOptions {
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Speaks GitLab's REST API for one project. */
export class GitlabClient {
  readonly #settings: GitlabAccess;
  readonly #gate = new RateGate("GitLab");
  readonly #writers = new Map<unknown, boolean>();

  constructor(settings: GitlabAccess) {
    this.#settings = settings;
  }

  /** Sends a request; only a rate limit throws. @param rest Below the project: `/merge_requests`. */
  async send(method: string, rest: string, { body, signal }: SendOptions = {}): Promise<WireResponse> {
    this.#gate.check();
    const { url, project, token } = this.#settings;
    const response = await boundedFetch({
      method,
      url: `${url}/api/v4/projects/${encodeURIComponent(project)}${rest}`,
      headers: {
        "private-token": token,
        "user-agent": "quire-orchestrator",
        ...(body && { "content-type": "application/json" }),
      },
      body: body && JSON.stringify(body),
      signal,
    });
    if (response.status === 429) throw this.#gate.close(retryAfterMs(response.headers));
    return response;
  }

  /** Sends a GraphQL query and returns the whole answer, errors included. */
  async graphql(query: string, variables: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const { url, token } = this.#settings;
    this.#gate.check();
    const response = await boundedFetch({
      method: "POST",
      url: `${url}/api/graphql`,
      headers: { "private-token": token, "user-agent": "quire-orchestrator", "content-type": "application/json" },
      body: JSON.stringify({ query, variables }),
      signal,
    });
    if (response.status === 429) throw this.#gate.close(retryAfterMs(response.headers));
    return this.#object(response, "a GraphQL query");
  }

  async one(rest: string, signal?: AbortSignal): Promise<JsonObject> {
    return this.#object(await this.send("GET", rest, { signal }), rest);
  }

  async change(method: string, rest: string, body: object, signal?: AbortSignal): Promise<JsonObject> {
    return this.#object(await this.send(method, rest, { body, signal }), rest);
  }

  /** All pages of a list, in order: everything, or an error. */
  async list(rest: string, signal?: AbortSignal): Promise<JsonObject[]> {
    const found: JsonObject[] = [];
    let page = "1";
    for (let count = 0; page !== ""; count++) {
      if (count >= maxPages) throw new TrackerError("tracker_pagination", `GitLab's list ${rest} is too long.`);
      const query = `${rest.includes("?") ? "&" : "?"}per_page=${pageSize}&page=${encodeURIComponent(page)}`;
      const response = await this.send("GET", rest + query, { signal });
      this.assertGood(response.status, rest);
      const records = parseJson(response.text, "GitLab");
      if (!Array.isArray(records))
        throw new TrackerError("tracker_response", `GitLab did not return a list for ${rest}.`);
      found.push(...records.map((record) => asObject(record) ?? {}));
      page = response.headers.get("x-next-page")?.trim() ?? "";
    }
    return found;
  }

  /** True if a user may push to the project: anybody may comment on a public one. */
  async isWriter(user: unknown, signal?: AbortSignal): Promise<boolean> {
    if (typeof user !== "number") return false;
    const known = this.#writers.get(user);
    if (known !== undefined) return known;
    const response = await this.send("GET", `/members/all/${user}`, { signal });
    if (response.status !== 404) this.assertGood(response.status, "a member");
    const level = response.status === 404 ? 0 : asObject(parseJson(response.text, "GitLab"))?.access_level;
    const is = typeof level === "number" && level >= writerLevel;
    this.#writers.set(user, is);
    return is;
  }

  /** Throws `tracker_status` for an answer that is no success. */
  assertGood(status: number, what: string): void {
    if (status >= 200 && status < 300) return;
    const remedy =
      status === 401 || status === 403 || status === 404
        ? `Check ${this.#settings.section}.project, and that the token has the scope api`
        : "The next look will retry";
    throw new TrackerError("tracker_status", `GitLab answered ${status} for ${what}. ${remedy}.`, { status });
  }

  #object(response: WireResponse, what: string): JsonObject {
    this.assertGood(response.status, what);
    const value = asObject(parseJson(response.text, "GitLab"));
    if (value !== undefined) return value;
    throw new TrackerError("tracker_response", `GitLab did not return an object for ${what}.`);
  }
}
