import { inParallel } from "../../lib/in-parallel.ts";
import { partsOf } from "../../lib/secrets.ts";
import type { AdapterContext, TrackerAdapter, TrackerConfig } from "../../tracker/adapter.ts";
import type { AdapterProfile } from "../../tracker/adapter-profile.ts";
import { type Issue, normalState } from "../../tracker/issue.ts";
import type { IssueWriter, Tracker } from "../../tracker/tracker.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import { GithubClient } from "../github/client.ts";
import { withBlockers } from "../github/github-tracker.ts";
import { githubSecrets } from "../github/settings.ts";
import { type ReadIssue, readIssue } from "../github/to-issue.ts";
import { githubApiTool } from "../github/tool.ts";
import { githubWriter } from "../github/writer.ts";
import { MalformedReport, malformedRecord } from "../records/malformed.ts";
import { asObject, text } from "../records/normalize.ts";
import { GithubProject, type ProjectItem } from "./project.ts";
import { projectSettings } from "./settings.ts";

/** Requests for blockers under way at once. */
const width = 5;
/** State of an item whose field has no value. */
const noState = "No status";

const profile: AdapterProfile = {
  kind: "github_project",
  title: "GitHub project",
  ids: "The id is the issue's number, the identifier GH-<number>; native_ref holds id, node_id, number, repo and item.",
  dispatchable:
    "No open issue blocks it, and it is assigned to tracker.provider.assignee where that is set. Who may write to the project brought it there, so its author does not matter.",
  defaultActiveStates: ["Todo", "In Progress"],
  defaultTerminalStates: ["Done", "closed"],
  settings: [
    "repo",
    "token",
    "api_url",
    "project",
    "project_owner",
    "status_field",
    "priority_labels",
    "assignee",
    "tool_scope",
    "requests_per_hour",
  ],
  tools: ["github_api"],
};

/** Issues of one repository in a project on GitHub, whose field says in which state they are. */
export const githubProjectAdapter: TrackerAdapter = {
  profile,
  create: (config, context) => projectTracker(config, context),
};

function projectTracker({ provider }: TrackerConfig, { env, log }: AdapterContext): Tracker {
  const settings = projectSettings(provider, env);
  const client = new GithubClient(settings);
  const project = new GithubProject(client, settings);
  const malformed = new MalformedReport(log);
  const rules = { ...settings, stateLabels: new Map<string, string>(), authors: "any" as const, requiresLabel: true };

  function read({ record, item, status }: ProjectItem): ReadIssue | string {
    const found = readIssue(record, rules);
    if (typeof found === "string") return found;
    const { issue } = found;
    // A closed issue is over, wherever its card was left.
    const state = issue.state === "closed" ? "closed" : (status ?? noState);
    return { ...found, issue: { ...issue, state, nativeRef: { ...asObject(issue.nativeRef), item } } };
  }

  const complete = (found: readonly ReadIssue[], signal?: AbortSignal) =>
    inParallel([...new Map(found.map((each) => [each.issue.id, each])).values()], width, (each) =>
      withBlockers(each, client, signal),
    );

  return {
    profile,
    writer: projectWriter(client, project),
    scope: `${settings.apiUrl} ${settings.projectOwner}/${settings.project} ${settings.repo}`.toLowerCase(),
    secretEnvNames: githubSecrets(provider),
    secrets: partsOf(settings.token),
    async fetchIssuesByStates(states, call) {
      const wanted = new Set(states.map(normalState));
      if (wanted.size === 0) return [];
      const all = (await project.items(call?.signal)).map(read);
      malformed.report(all.filter((each) => typeof each === "string"));
      const found = all.filter((each) => typeof each !== "string" && wanted.has(normalState(each.issue.state)));
      return complete(found as ReadIssue[], call?.signal);
    },
    async fetchIssuesByIds(ids, call) {
      const numbers = [...new Set(ids)].filter((id) => /^[1-9]\d{0,14}$/.test(id));
      if (numbers.length === 0) return [];
      const found = (await project.byNumber(numbers, call?.signal)).map((each) => {
        const issue = read(each);
        if (typeof issue === "string") throw malformedRecord(issue);
        return issue;
      });
      return complete(found, call?.signal);
    },
    tools: (session) => [githubApiTool(client, session)],
  };
}

function projectWriter(client: GithubClient, project: GithubProject): IssueWriter {
  const own = githubWriter(client);
  const itemOf = ({ nativeRef }: Issue) => text(asObject(nativeRef)?.item);
  return {
    async setState(issue, state, { signal } = {}) {
      const item = itemOf(issue);
      const isClosed = normalState(state) === "closed";
      if (item === null) throw new TrackerError("tracker_response", `${issue.identifier} is in no project any more.`);
      const isSet = await project.setStatus(item, state, signal);
      if (!isSet && !isClosed) {
        throw new TrackerError("invalid_tracker_config", `The project's field has no value ${state}: add it there.`);
      }
      const path = `${client.repoPath}/issues/${issue.id}`;
      if (!isClosed && issue.state !== "closed") return;
      const body = { state: isClosed ? "closed" : "open" };
      client.assertGood(await client.send({ method: "PATCH", path, body, signal }), path);
    },
    writeNote: (issue, words, id) => own.writeNote(issue, words, id),
  };
}
