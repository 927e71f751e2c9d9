import { TrackerError } from "../../tracker/tracker-error.ts";
import { asObject, type JsonObject, text } from "../records/normalize.ts";
import { boundedFetch, parseJson, type WireResponse } from "../remote/bounded-fetch.ts";
import { numberHeader, RateGate, retryAfterMs } from "../remote/rate-gate.ts";
import { withoutSecret } from "../remote/redact.ts";
import { RequestBudget } from "../remote/request-budget.ts";
import { nextLink } from "./link-header.ts";
import type { GithubSettings } from "./settings.ts";

/** Issues in a page: GitHub's maximum. */
export const pageSize = 100;

/** Pages that are followed at most: 20,000 issues. A longer list is refused rather than cut. */
const maxPages = 200;

/** Answers that are remembered, to ask only whether they are still the same, and the longest of them. */
const maxKnown = 300;
const maxKnownLength = 1024 * 1024;

interface Page {
  readonly records: readonly unknown[];
  readonly next: string | null;
}

/** A request to GitHub's REST API. */
export interface GithubRequest {
  readonly method: string;
  /** Below the API's address: `/repos/owner/name/issues`. */
  readonly path: string;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** Speaks GitHub's REST API with the credential of the host. */
export class GithubClient {
  readonly settings: GithubSettings;
  readonly #gate = new RateGate("GitHub");
  readonly #budget: RequestBudget;
  readonly #known = new Map<string, WireResponse>();

  constructor(settings: GithubSettings) {
    this.settings = settings;
    this.#budget = new RequestBudget("GitHub", settings.requestsPerHour);
  }

  /** The path of the repository in scope. */
  get repoPath(): string {
    return `/repos/${this.settings.owner}/${this.settings.repo}`;
  }

  /** Sends a request and returns the answer, whatever its status; only a rate limit throws. */
  async send({ method, path, body, signal }: GithubRequest): Promise<WireResponse> {
    return this.#send(method, this.settings.apiUrl + path, { body, signal });
  }

  /**
   * Fetches an object; null if GitHub has none (404, 410) or has moved it to another repository (301). A repository that
   * is not visible, or has no issues any more, is an error: what it held is not known then.
   */
  async getOne(path: string, signal?: AbortSignal): Promise<JsonObject | null> {
    const response = await this.#get(this.settings.apiUrl + path, signal);
    if ([301, 404, 410].includes(response.status)) {
      await this.#assertVisible(signal);
      return null;
    }
    this.assertGood(response, path);
    return objectOf(response.text, path);
  }

  /** Sends a GraphQL query and returns the whole answer. */
  async graphql(query: string, variables: JsonObject, signal?: AbortSignal): Promise<JsonObject> {
    const url = this.settings.apiUrl.replace(/\/api\/v3$/, "/api");
    const response = await this.#send("POST", `${url}/graphql`, { body: { query, variables }, signal });
    this.assertGood(response, "/graphql");
    return objectOf(response.text, "/graphql");
  }

  async #assertVisible(signal?: AbortSignal): Promise<void> {
    const response = await this.send({ method: "GET", path: this.repoPath, signal });
    this.assertGood(response, this.repoPath);
    if (objectOf(response.text, this.repoPath).has_issues !== false) return;
    throw new TrackerError("tracker_response", `${this.repoPath} has no issues: enable them in its settings.`);
  }

  /** All pages of a list, in order: everything, or an error. */
  async getAll(path: string, signal?: AbortSignal): Promise<unknown[]> {
    const found: unknown[] = [];
    const seen = new Set<string>();
    let url: string | null = this.settings.apiUrl + path;
    while (url !== null) {
      if (seen.has(url)) throw paging(`GitHub's list ${path} loops back to an earlier page.`);
      if (seen.size >= maxPages)
        throw paging(`GitHub's list ${path} has more than ${maxPages} pages: narrow the scope.`);
      seen.add(url);
      const page: Page = await this.#page(url, path, signal);
      found.push(...page.records);
      url = this.#within(page.next, url);
    }
    return found;
  }

  async #page(url: string, path: string, signal?: AbortSignal): Promise<Page> {
    const response = await this.#get(url, signal);
    this.assertGood(response, path);
    const records = parseJson(response.text, "GitHub");
    if (!Array.isArray(records))
      throw new TrackerError("tracker_response", `GitHub did not return a list for ${path}.`);
    return { records, next: nextLink(response.headers.get("link")) };
  }

  /** Gets an answer. One that is the same as last time is not sent again, and GitHub does not count the request. */
  async #get(url: string, signal?: AbortSignal): Promise<WireResponse> {
    const known = this.#known.get(url);
    const etag = known?.headers.get("etag") ?? undefined;
    const response = await this.#send("GET", url, { signal, etag });
    if (response.status === 304 && known) {
      this.#budget.giveBack();
      return known;
    }
    this.#known.delete(url);
    if (response.status === 200 && response.headers.has("etag") && response.text.length <= maxKnownLength) {
      this.#known.set(url, response);
    }
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return response;
  }

  /** The next page must lie below the API's own address: the credential goes nowhere else. */
  #within(next: string | null, current: string): string | null {
    if (next === null) return null;
    const url = URL.parse(next, current);
    if (url === null || url.origin !== new URL(this.settings.apiUrl).origin) {
      throw paging(`GitHub's next page is on another host (${url?.origin}); the token is not sent there.`);
    }
    return url.href;
  }

  async #send(
    method: string,
    url: string,
    options: Pick<GithubRequest, "body" | "signal"> & { readonly etag?: string | undefined },
  ): Promise<WireResponse> {
    this.#gate.check();
    this.#budget.take();
    const response = await boundedFetch({
      method,
      url,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${this.settings.token}`,
        "x-github-api-version": "2022-11-28",
        "user-agent": "quire-orchestrator",
        ...(options.body === undefined ? {} : { "content-type": "application/json" }),
        ...(options.etag === undefined ? {} : { "if-none-match": options.etag }),
      },
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
    });
    if (this.#isLimited(response)) throw this.#gate.close(this.#wait(response.headers));
    return response;
  }

  /** Throws `tracker_status` for an answer that is no success. */
  assertGood({ status, text: body }: WireResponse, path: string): void {
    if (status >= 200 && status < 300) return;
    const said = withoutSecret(messageOf(body), this.settings.token);
    throw new TrackerError("tracker_status", `GitHub answered ${status} for ${path}${said}. ${remedy(status)}`, {
      status,
    });
  }

  /** The primary limit says so by a count of zero, the secondary one by `Retry-After` or in its message. */
  #isLimited({ status, headers, text: body }: WireResponse): boolean {
    if (status === 429) return true;
    if (status !== 403) return false;
    return headers.get("x-ratelimit-remaining") === "0" || headers.has("retry-after") || /rate limit/i.test(body);
  }

  #wait(headers: Headers): number | undefined {
    const asked = retryAfterMs(headers);
    if (asked !== undefined) return asked;
    const reset = headers.get("x-ratelimit-remaining") === "0" ? numberHeader(headers, "x-ratelimit-reset") : undefined;
    return reset === undefined ? undefined : this.#gate.until(reset);
  }
}

function remedy(status: number): string {
  if (status === 401) return "The token is wrong or has expired: make a new one.";
  if (status === 403) return "The token has no access: grant it access to the repository's issues.";
  if (status === 404) return "Check tracker.provider.repo, and that the token may see the repository.";
  return "The next poll will retry.";
}

function messageOf(body: string): string {
  try {
    const message = text(asObject(JSON.parse(body))?.message);
    return message === null ? "" : ` ("${message.slice(0, 200)}")`;
  } catch {
    return "";
  }
}

function objectOf(body: string, path: string): JsonObject {
  const value = asObject(parseJson(body, "GitHub"));
  if (value !== undefined) return value;
  throw new TrackerError("tracker_response", `GitHub did not return an object for ${path}.`);
}

const paging = (message: string) => new TrackerError("tracker_pagination", message);
