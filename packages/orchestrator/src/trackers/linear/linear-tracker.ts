import { partsOf } from "../../lib/secrets.ts";
import type { AdapterContext, TrackerAdapter, TrackerConfig } from "../../tracker/adapter.ts";
import type { AdapterProfile } from "../../tracker/adapter-profile.ts";
import { type Issue, normalState } from "../../tracker/issue.ts";
import type { Tracker } from "../../tracker/tracker.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import { MalformedReport, malformedRecord } from "../records/malformed.ts";
import { asObject, type JsonObject, text } from "../records/normalize.ts";
import { LinearClient } from "./client.ts";
import { allPages } from "./pages.ts";
import { pageSize, viewerQuery } from "./queries.ts";
import { linearSecrets, linearSettings } from "./settings.ts";
import { type LinearRules, readIssue } from "./to-issue.ts";
import { linearGraphqlTool } from "./tool.ts";
import { linearWriter } from "./writer.ts";

const profile: AdapterProfile = {
  kind: "linear",
  title: "Linear",
  ids: "The id is Linear's own (a UUID), the identifier Linear's key such as ENG-12; native_ref holds team and project.",
  dispatchable:
    "In the first active state every blocking issue must be in a terminal state; with tracker.provider.assignee only that user's issues.",
  defaultActiveStates: ["Todo", "In Progress"],
  defaultTerminalStates: ["Closed", "Cancelled", "Canceled", "Duplicate", "Done"],
  settings: ["project_slug", "team_key", "api_key", "assignee", "endpoint", "tool_scope"],
  flatSettings: ["endpoint", "api_key", "project_slug", "assignee"],
  tools: ["linear_graphql"],
};

/** Issues of one project or team in Linear. */
export const linearAdapter: TrackerAdapter = {
  profile,
  create: (config, context) => linearTracker(config, context),
};

function linearTracker(config: TrackerConfig, { env, log }: AdapterContext): Tracker {
  const client = new LinearClient(linearSettings(config.provider, env));
  const malformed = new MalformedReport(log);
  let viewer: Promise<string> | undefined;

  const rules = async (signal?: AbortSignal): Promise<LinearRules> => ({
    firstState: config.activeStates[0],
    terminalStates: config.terminalStates,
    assigneeId: await assigneeId(signal),
  });

  /** `me` is asked for once; an answer that failed is asked for again. */
  async function assigneeId(signal?: AbortSignal): Promise<string | null> {
    if (client.settings.assignee !== "me") return client.settings.assignee;
    viewer ??= whoAmI(client, signal);
    return viewer.catch((error: unknown) => {
      viewer = undefined;
      throw error;
    });
  }

  return {
    profile,
    writer: linearWriter(client),
    scope:
      `${client.settings.endpoint} ${client.settings.projectSlug ?? ""} ${client.settings.teamKey ?? ""}`.toLowerCase(),
    secretEnvNames: linearSecrets(config.provider),
    secrets: partsOf(client.settings.apiKey),
    async fetchIssuesByStates(states, call) {
      const names = [...new Set(states.map(normalState))].filter((name) => name !== "");
      if (names.length === 0) return [];
      // Linear compares names exactly by default, and has no list form of that.
      const filter = { ...scope(client), or: names.map((name) => ({ state: { name: { eqIgnoreCase: name } } })) };
      const applied = await rules(call?.signal);
      const records = await allPages(client, filter, call?.signal);
      const read = records.map((record) => readIssue(record, applied));
      malformed.report(read.filter((each) => typeof each === "string"));
      return once(read.filter((each) => typeof each !== "string"));
    },
    async fetchIssuesByIds(ids, call) {
      const wanted = [...new Set(ids)];
      if (wanted.length === 0) return [];
      const applied = await rules(call?.signal);
      const found: Issue[] = [];
      for (let start = 0; start < wanted.length; start += pageSize) {
        const filter = { ...scope(client), id: { in: wanted.slice(start, start + pageSize) } };
        for (const record of await allPages(client, filter, call?.signal)) {
          const read = readIssue(record, applied);
          if (typeof read === "string") throw malformedRecord(read);
          found.push(read);
        }
      }
      return once(found);
    },
    tools: (session) => [linearGraphqlTool(client, session)],
  };
}

function scope({ settings: { projectSlug, teamKey } }: LinearClient): JsonObject {
  return {
    ...(projectSlug === null ? {} : { project: { slugId: { eq: projectSlug } } }),
    ...(teamKey === null ? {} : { team: { key: { eq: teamKey } } }),
  };
}

function once(issues: readonly Issue[]): Issue[] {
  return [...new Map(issues.map((issue) => [issue.id, issue])).values()];
}

async function whoAmI(client: LinearClient, signal?: AbortSignal): Promise<string> {
  const { viewer } = await client.query({ query: viewerQuery, signal });
  const id = text(asObject(viewer)?.id);
  if (id === null) throw new TrackerError("tracker_response", "Linear did not return the owner of the API key.");
  return id;
}
