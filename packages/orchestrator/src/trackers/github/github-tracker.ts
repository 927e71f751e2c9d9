import { inParallel } from "../../lib/in-parallel.ts";
import { partsOf } from "../../lib/secrets.ts";
import type { AdapterContext, TrackerAdapter, TrackerConfig } from "../../tracker/adapter.ts";
import type { AdapterProfile } from "../../tracker/adapter-profile.ts";
import { type Issue, normalState } from "../../tracker/issue.ts";
import type { Tracker } from "../../tracker/tracker.ts";
import { MalformedReport, malformedRecord } from "../records/malformed.ts";
import type { JsonObject } from "../records/normalize.ts";
import { GithubClient, pageSize } from "./client.ts";
import { manyIssues } from "./many-issues.ts";
import { githubSecrets, githubSettings } from "./settings.ts";
import { blockerOf, type ReadIssue, readIssue } from "./to-issue.ts";
import { githubApiTool } from "./tool.ts";
import { githubWriter } from "./writer.ts";

/** Requests for single issues under way at once: more earns a secondary rate limit. */
const width = 5;

const profile: AdapterProfile = {
  kind: "github",
  title: "GitHub issues",
  ids: "The id is the issue's number, the identifier GH-<number>; native_ref holds id, node_id, number and repo.",
  dispatchable:
    "Not a pull request, no open issue blocks it, and it is assigned to tracker.provider.assignee where that is set. Without assignee, required_labels and a label of state_labels its author must be able to write to the repository, unless tracker.provider.authors is any.",
  defaultActiveStates: ["open"],
  defaultTerminalStates: ["closed"],
  settings: [
    "repo",
    "token",
    "api_url",
    "state_labels",
    "priority_labels",
    "assignee",
    "authors",
    "tool_scope",
    "requests_per_hour",
  ],
  tools: ["github_api"],
};

/** Issues of one repository on GitHub. */
export const githubAdapter: TrackerAdapter = {
  profile,
  create: (config, context) => githubTracker(config, context),
};

function githubTracker({ provider, requiredLabels }: TrackerConfig, { env, log }: AdapterContext): Tracker {
  const client = new GithubClient(githubSettings(provider, env));
  const rules = { ...client.settings, requiresLabel: requiredLabels.length > 0 };
  const malformed = new MalformedReport(log);
  let hasMany = true;

  async function recordsOf(numbers: readonly string[], signal?: AbortSignal): Promise<readonly JsonObject[]> {
    if (numbers.length > 1 && hasMany) {
      const many = await manyIssues(client, numbers, signal);
      if (many) return many;
      hasMany = false;
    }
    const each = (id: string) => client.getOne(`${client.repoPath}/issues/${id}`, signal);
    return (await inParallel(numbers, width, each)).filter((record) => record !== null);
  }

  return {
    profile,
    writer: githubWriter(client),
    scope: `${client.settings.apiUrl}${client.repoPath}`.toLowerCase(),
    secretEnvNames: githubSecrets(provider),
    secrets: partsOf(client.settings.token),
    async fetchIssuesByStates(states, call) {
      const query = listQuery(states, client);
      if (query === null) return [];
      const records = await client.getAll(`${client.repoPath}/issues?${query}`, call?.signal);
      const read = records.map((record) => readIssue(record, rules));
      malformed.report(read.filter((each) => typeof each === "string"));
      const wanted = new Set(states.map(normalState));
      const found = read.filter((each) => typeof each !== "string" && wanted.has(normalState(each.issue.state)));
      return inParallel(once(found as ReadIssue[]), width, (each) => withBlockers(each, client, call?.signal));
    },
    async fetchIssuesByIds(ids, call) {
      const numbers = [...new Set(ids)].filter((id) => /^[1-9]\d{0,14}$/.test(id));
      const records = await recordsOf(numbers, call?.signal);
      return inParallel(records, width, async (record) => {
        const read = readIssue(record, rules);
        if (typeof read === "string") throw malformedRecord(read);
        return withBlockers(read, client, call?.signal);
      });
    },
    tools: (session) => [githubApiTool(client, session)],
  };
}

/** The part of GitHub's list that can hold the states, or null where none can. A label narrows it, if one is enough. */
function listQuery(states: readonly string[], { settings }: GithubClient): string | null {
  const wanted = new Set(states.map(normalState));
  const labels = [...settings.stateLabels].filter(([, name]) => wanted.has(normalState(name))).map(([label]) => label);
  const open = wanted.has("open") || labels.length > 0;
  if (!open && !wanted.has("closed")) return null;
  const state = open && wanted.has("closed") ? "all" : open ? "open" : "closed";
  const query = new URLSearchParams({ state, per_page: String(pageSize), sort: "created", direction: "asc" });
  const [only] = labels;
  if (state === "open" && !wanted.has("open") && labels.length === 1 && only !== undefined) query.set("labels", only);
  return query.toString();
}

/** An issue that moved between two pages while they were read is in both. */
function once(found: readonly ReadIssue[]): ReadIssue[] {
  return [...new Map(found.map((each) => [each.issue.id, each])).values()];
}

/** Asks who blocks an issue only where GitHub counts such; servers without dependencies count none. */
export async function withBlockers(
  { issue, number, blocked }: ReadIssue,
  client: GithubClient,
  signal?: AbortSignal,
): Promise<Issue> {
  if (!blocked) return issue;
  const records = await client.getAll(
    `${client.repoPath}/issues/${number}/dependencies/blocked_by?per_page=${pageSize}`,
    signal,
  );
  const blockedBy = records.flatMap((record) => blockerOf(record, client.settings) ?? []);
  return { ...issue, blockedBy };
}
