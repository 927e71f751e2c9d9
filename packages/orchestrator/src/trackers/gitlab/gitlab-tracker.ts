import { inParallel } from "../../lib/in-parallel.ts";
import { partsOf } from "../../lib/secrets.ts";
import type { AdapterContext, TrackerAdapter, TrackerConfig } from "../../tracker/adapter.ts";
import type { AdapterProfile } from "../../tracker/adapter-profile.ts";
import { type Issue, normalState } from "../../tracker/issue.ts";
import type { Tracker } from "../../tracker/tracker.ts";
import { MalformedReport, malformedRecord } from "../records/malformed.ts";
import { asList, asObject, text } from "../records/normalize.ts";
import { updateTool } from "../records/update-tool.ts";
import { GitlabClient } from "./client.ts";
import { gitlabSecrets, gitlabSettings } from "./settings.ts";
import { type ReadIssue, readIssue, withBlockers } from "./to-issue.ts";
import { gitlabWriter } from "./writer.ts";

/** Issues asked for by their numbers in one request, and members asked for at once. */
const chunk = 50;
const width = 5;

const profile: AdapterProfile = {
  kind: "gitlab",
  title: "GitLab issues",
  ids: "The id is the issue's number in its project, the identifier GL-<number>; native_ref holds id, iid and project.",
  dispatchable:
    "No open issue blocks it, and it is assigned to tracker.provider.assignee where that is set. Without assignee, required_labels and a label of state_labels its author must be a member who may push, unless tracker.provider.authors is any.",
  defaultActiveStates: ["opened"],
  defaultTerminalStates: ["closed"],
  settings: ["project", "token", "url", "state_labels", "priority_labels", "assignee", "authors"],
  tools: ["tracker_update"],
};

const blockedQuery = `query($path: ID!, $iids: [String!]) {
  project(fullPath: $path) { issues(iids: $iids, first: ${chunk}) { nodes {
    iid blocked
    blockedByIssues { nodes { iid state reference } }
  } } }
}`;

/** Issues of one project on GitLab. */
export const gitlabAdapter: TrackerAdapter = {
  profile,
  create: (config, context) => gitlabTracker(config, context),
};

function gitlabTracker({ provider, requiredLabels }: TrackerConfig, { env, log }: AdapterContext): Tracker {
  const settings = gitlabSettings(provider, env);
  const client = new GitlabClient(settings);
  const rules = { ...settings, requiresLabel: requiredLabels.length > 0 };
  const malformed = new MalformedReport(log);
  const writer = gitlabWriter(client, settings);
  let knowsBlockers = true;

  async function complete(read: readonly ReadIssue[], signal?: AbortSignal): Promise<readonly Issue[]> {
    const issues = await inParallel(read, width, async ({ issue, author, isWanted }) => {
      const isOpen = issue.dispatchable && issue.state !== "closed";
      if (!isOpen || isWanted || settings.authors === "any" || (await client.isWriter(author, signal))) return issue;
      return { ...issue, dispatchable: false };
    });
    const open = issues.filter(({ dispatchable, state }) => dispatchable && state !== "closed");
    const nodes: unknown[] = [];
    for (let start = 0; start < open.length && knowsBlockers; start += chunk) {
      const iids = open.slice(start, start + chunk).map(({ id }) => id);
      const answer = await client.graphql(blockedQuery, { path: settings.project, iids }, signal);
      const errors = asList(answer.errors).map((error) => text(asObject(error)?.message) ?? "");
      // GitLab's free edition has no issues that block others.
      if (errors.some((message) => /Field '\w+' doesn't exist/.test(message))) knowsBlockers = false;
      else if (errors.length > 0) throw malformedRecord(`GitLab did not say what blocks issues: ${errors[0]}.`);
      nodes.push(...asList(asObject(asObject(asObject(answer.data)?.project)?.issues)?.nodes));
    }
    return withBlockers(issues, nodes);
  }

  return {
    profile,
    writer,
    scope: `${settings.url} ${settings.project}`.toLowerCase(),
    secretEnvNames: gitlabSecrets(provider),
    secrets: partsOf(settings.token),
    async fetchIssuesByStates(states, call) {
      const query = listQuery(states, settings.stateLabels);
      if (query === null) return [];
      const records = await client.list(`/issues?${query}`, call?.signal);
      const read = records.map((record) => readIssue(record, rules));
      malformed.report(read.filter((each) => typeof each === "string"));
      const wanted = new Set(states.map(normalState));
      const found = read.filter((each) => typeof each !== "string" && wanted.has(normalState(each.issue.state)));
      return complete(once(found as ReadIssue[]), call?.signal);
    },
    async fetchIssuesByIds(ids, call) {
      const iids = [...new Set(ids)].filter((id) => /^[1-9]\d{0,14}$/.test(id));
      const read: ReadIssue[] = [];
      for (let start = 0; start < iids.length; start += chunk) {
        const query = iids.slice(start, start + chunk).map((iid) => `iids[]=${iid}`);
        for (const record of await client.list(`/issues?${query.join("&")}&state=all`, call?.signal)) {
          const each = readIssue(record, rules);
          if (typeof each === "string") throw malformedRecord(each);
          read.push(each);
        }
      }
      const order = new Map(iids.map((iid, index) => [iid, index]));
      const at = ({ issue }: ReadIssue) => order.get(issue.id) ?? 0;
      return complete(
        once(read).toSorted((a, b) => at(a) - at(b)),
        call?.signal,
      );
    },
    tools: (session) => [updateTool(writer, session)],
  };
}

/** The part of GitLab's list that can hold the states, or null where none can. A label narrows it, if one is enough. */
function listQuery(states: readonly string[], stateLabels: ReadonlyMap<string, string>): string | null {
  const wanted = new Set(states.map(normalState));
  const labels = [...stateLabels].filter(([, name]) => wanted.has(normalState(name))).map(([label]) => label);
  const open = wanted.has("opened") || labels.length > 0;
  if (!open && !wanted.has("closed")) return null;
  const state = open && wanted.has("closed") ? "all" : open ? "opened" : "closed";
  const query = new URLSearchParams({ state, order_by: "created_at", sort: "asc", scope: "all" });
  return query.toString();
}

/** An issue that moved between two pages while they were read is in both. */
function once(found: readonly ReadIssue[]): ReadIssue[] {
  return [...new Map(found.map((each) => [each.issue.id, each])).values()];
}
