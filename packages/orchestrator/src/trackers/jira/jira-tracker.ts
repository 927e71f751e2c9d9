import { partsOf } from "../../lib/secrets.ts";
import type { AdapterContext, TrackerAdapter, TrackerConfig } from "../../tracker/adapter.ts";
import type { AdapterProfile } from "../../tracker/adapter-profile.ts";
import { type Issue, isStateIn, normalState } from "../../tracker/issue.ts";
import type { Tracker } from "../../tracker/tracker.ts";
import { MalformedReport, malformedRecord } from "../records/malformed.ts";
import { updateTool } from "../records/update-tool.ts";
import { JiraClient } from "./client.ts";
import { jiraSecrets, jiraSettings } from "./settings.ts";
import { readIssue } from "./to-issue.ts";
import { jiraWriter } from "./writer.ts";

const profile: AdapterProfile = {
  kind: "jira",
  title: "Jira",
  ids: "The id is Jira's own number, the identifier the issue's key such as APP-12; native_ref holds key and project.",
  dispatchable:
    "In the first active state every issue that blocks it must be in a terminal state; with tracker.provider.assignee only that account's issues.",
  defaultActiveStates: ["To Do", "In Progress"],
  defaultTerminalStates: ["Done"],
  settings: ["url", "project", "email", "api_token", "jql", "assignee"],
  tools: ["tracker_update"],
};

/** Issues of one project in Jira. */
export const jiraAdapter: TrackerAdapter = {
  profile,
  create: (config, context) => jiraTracker(config, context),
};

function jiraTracker(config: TrackerConfig, { env, log }: AdapterContext): Tracker {
  const settings = jiraSettings(config.provider, env);
  const client = new JiraClient(settings);
  const malformed = new MalformedReport(log);
  const writer = jiraWriter(client);
  const rules = { ...settings, firstState: config.activeStates[0], terminalStates: config.terminalStates };
  return {
    profile,
    writer,
    scope: `${settings.url} ${settings.project} ${settings.jql ?? ""}`.toLowerCase(),
    secretEnvNames: jiraSecrets(config.provider),
    secrets: partsOf(settings.token),
    async fetchIssuesByStates(states, call) {
      const names = [...new Set(states.map(normalState))].filter((name) => name !== "");
      if (names.length === 0) return [];
      const more = settings.jql === null ? "" : ` AND (${settings.jql})`;
      const jql = `project = ${quoted(settings.project)} AND status IN (${names.map(quoted).join(", ")})${more}`;
      const records = await client.search(`${jql} ORDER BY created ASC, key ASC`, call?.signal);
      const read = records.map((record) => readIssue(record, rules));
      malformed.report(read.filter((each) => typeof each === "string"));
      const issues = read.filter((each): each is Issue => each !== null && typeof each !== "string");
      // Jira's index may be a moment behind.
      return once(issues.filter(({ state }) => isStateIn(state, names)));
    },
    async fetchIssuesByIds(ids, call) {
      const wanted = [...new Set(ids)].filter((id) => /^\d{1,18}$/.test(id));
      if (wanted.length === 0) return [];
      const found: Issue[] = [];
      for (const record of await client.fetch(wanted, call?.signal)) {
        const read = readIssue(record, rules);
        if (typeof read === "string") throw malformedRecord(read);
        if (read !== null) found.push(read);
      }
      const order = new Map(wanted.map((id, index) => [id, index]));
      return once(found).toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
    },
    tools: (session) => [updateTool(writer, session)],
  };
}

/** A text of Jira's query language. */
const quoted = (words: string) => `"${words.replace(/["\\]/g, "\\$&")}"`;

function once(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [issue.id, issue])).values()];
}
