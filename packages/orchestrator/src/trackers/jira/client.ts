import { TrackerError } from "../../tracker/tracker-error.ts";
import { asList, asObject, type JsonObject, text } from "../records/normalize.ts";
import { boundedFetch, parseJson, type WireResponse } from "../remote/bounded-fetch.ts";
import { RateGate, retryAfterMs } from "../remote/rate-gate.ts";
import { withoutSecret } from "../remote/redact.ts";
import type { JiraSettings } from "./settings.ts";

/** Issues in a page, and pages that are followed at most: 20,000 issues. A longer list is refused rather than cut. */
const pageSize = 100;
const maxPages = 200;

/** Fields of an issue, as far as they decide anything. */
const fields: readonly string[] = [
  "summary",
  "description",
  "status",
  "priority",
  "labels",
  "assignee",
  "issuelinks",
  "project",
  "created",
  "updated",
];

/** Options of a request to Jira. */
interface JiraSend {
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Speaks Jira's REST API, version 3, with the credential of the host. */
export class JiraClient {
  readonly settings: JiraSettings;
  readonly #gate = new RateGate("Jira");

  constructor(settings: JiraSettings) {
    this.settings = settings;
  }

  /** Sends a request; only a rate limit throws. @param rest Below the API: `/issue/10001`. */
  async send(method: string, rest: string, { body, signal }: JiraSend = {}): Promise<WireResponse> {
    this.#gate.check();
    const { url, email, token } = this.settings;
    const basic = `Basic ${Buffer.from(`${email}:${token}`).toString("base64")}`;
    const response = await boundedFetch({
      method,
      url: `${url}/rest/api/3${rest}`,
      headers: {
        accept: "application/json",
        authorization: email === null ? `Bearer ${token}` : basic,
        ...(body && { "content-type": "application/json" }),
      },
      body: body && JSON.stringify(body),
      signal,
    });
    if (response.status === 429) throw this.#gate.close(retryAfterMs(response.headers));
    return response;
  }

  /** Sends a request that has to succeed; an empty answer is an empty object. */
  async call(method: string, rest: string, options: JiraSend = {}): Promise<JsonObject> {
    const response = await this.send(method, rest, options);
    this.assertGood(response, rest);
    if (response.text.trim() === "") return {};
    const value = asObject(parseJson(response.text, "Jira"));
    if (value !== undefined) return value;
    throw new TrackerError("tracker_response", `Jira did not return an object for ${rest}.`);
  }

  /** All issues that a query finds, in order: everything, or an error. */
  async search(jql: string, signal?: AbortSignal): Promise<unknown[]> {
    const found: unknown[] = [];
    const seen = new Set<string>();
    let nextPageToken: string | null = null;
    for (;;) {
      const body: JsonObject = { jql, fields, maxResults: pageSize, ...(nextPageToken !== null && { nextPageToken }) };
      const page = await this.call("POST", "/search/jql", { body, signal });
      if (!Array.isArray(page.issues)) throw new TrackerError("tracker_response", "Jira's answer has no issues.");
      found.push(...page.issues);
      nextPageToken = text(page.nextPageToken);
      if (page.isLast === true || (page.isLast === undefined && nextPageToken === null)) return found;
      if (nextPageToken === null) throw paging("Jira announced more pages without a token.");
      if (seen.has(nextPageToken)) throw paging("Jira's pages loop back to an earlier one.");
      if (seen.size + 1 >= maxPages) throw paging(`Jira has more than ${maxPages} pages of issues: narrow the scope.`);
      seen.add(nextPageToken);
    }
  }

  /** The issues with these ids that are there. One that Jira cannot give now fails the call. */
  async fetch(ids: readonly string[], signal?: AbortSignal): Promise<readonly unknown[]> {
    const found: unknown[] = [];
    for (let start = 0; start < ids.length; start += pageSize) {
      const body = { issueIdsOrKeys: ids.slice(start, start + pageSize), fields };
      const { issues, issueErrors } = await this.call("POST", "/issue/bulkfetch", { body, signal });
      if (!Array.isArray(issues)) throw new TrackerError("tracker_response", "Jira's answer has no issues.");
      if (asList(issueErrors).length > 0) {
        throw new TrackerError(
          "tracker_response",
          "Jira cannot give some of the issues now. The next poll will retry.",
        );
      }
      found.push(...issues);
    }
    // What is not there is left out, also where nothing of the project may be seen any more.
    if (found.length < ids.length) await this.call("GET", `/project/${this.settings.project}`, { signal });
    return found;
  }

  /** Throws `tracker_status` for an answer that is no success. */
  assertGood({ status, text: body }: WireResponse, what: string): void {
    if (status >= 200 && status < 300) return;
    const said = withoutSecret(messageOf(body), this.settings.token);
    throw new TrackerError("tracker_status", `Jira answered ${status} for ${what}${said}. ${remedy(status)}`, {
      status,
    });
  }
}

function remedy(status: number): string {
  if (status === 401) return "Check tracker.provider.email and the token.";
  if (status === 403 || status === 404) return "Check the project, and that the account may browse it.";
  return "The next poll will retry.";
}

function messageOf(body: string): string {
  try {
    const said = text(asList(asObject(JSON.parse(body))?.errorMessages)[0]);
    return said === null ? "" : ` ("${said.slice(0, 200)}")`;
  } catch {
    return "";
  }
}

const paging = (message: string) => new TrackerError("tracker_pagination", message);
