import type { AdapterContext, TrackerAdapter, TrackerConfig } from "../../tracker/adapter.ts";
import type { AdapterProfile } from "../../tracker/adapter-profile.ts";
import { type Issue, isStateIn, normalState } from "../../tracker/issue.ts";
import type { IssueWriter, Tracker } from "../../tracker/tracker.ts";
import { MalformedReport, malformedRecord } from "../records/malformed.ts";
import { asList, instantOf, type JsonObject, labelsOf, priorityOf, text } from "../records/normalize.ts";
import { type IssueUpdates, updateTool } from "../records/update-tool.ts";
import { Bd } from "./bd.ts";
import { beadsSettings } from "./settings.ts";

/** Issues asked for in one call: a command line has an end. */
const chunk = 200;
/** An id as beads makes them: it is a word of a command line. */
const idForm = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

const profile: AdapterProfile = {
  kind: "beads",
  title: "beads",
  ids: "Id and identifier are the issue's id in beads, such as bd-a1b2; native_ref holds its type.",
  dispatchable:
    "beads itself does not count it as blocked; with tracker.provider.assignee only that assignee's issues.",
  defaultActiveStates: ["open", "in_progress"],
  defaultTerminalStates: ["closed"],
  settings: ["path", "command", "assignee"],
  tools: ["tracker_update"],
};

/** Issues of a beads database, through its program `bd`. */
export const beadsAdapter: TrackerAdapter = {
  profile,
  create: (config, context) => beadsTracker(config, context),
};

function beadsTracker(config: TrackerConfig, { baseDir, env, log }: AdapterContext): Tracker {
  const settings = beadsSettings(config.provider, baseDir, env);
  const bd = new Bd(settings, env);
  const malformed = new MalformedReport(log);
  const writer = beadsWriter(bd, config.terminalStates);

  /** Reads records, and asks once what blocks any of them. */
  async function read(records: readonly JsonObject[], signal?: AbortSignal): Promise<(Issue | string)[]> {
    const isOpen = records.some(({ status }) => status !== "closed");
    const blocked = isOpen ? await bd.list(["blocked"], signal) : [];
    const blockers = new Map(blocked.map(({ id, blocked_by: by }) => [text(id), asList(by)]));
    return records.map((record) => readIssue(record, blockers.get(text(record.id)), settings.assignee));
  }

  return {
    profile,
    writer,
    scope: settings.folder,
    secretEnvNames: [],
    secrets: [],
    async fetchIssuesByStates(states, call) {
      const names = [...new Set(states.map(normalState))].filter((name) => /^[a-z0-9][a-z0-9_-]*$/.test(name));
      if (names.length === 0) return [];
      const records: JsonObject[] = [];
      for (const name of names) {
        records.push(...(await bd.list(["list", `--status=${name}`, "--limit=0"], call?.signal)));
      }
      const issues = await read(records, call?.signal);
      malformed.report(issues.filter((each) => typeof each === "string"));
      const found = issues.filter((each) => typeof each !== "string" && isStateIn(each.state, names)) as Issue[];
      return [...new Map(found.map((issue) => [issue.id, issue])).values()];
    },
    async fetchIssuesByIds(ids, call) {
      const wanted = [...new Set(ids)].filter((id) => idForm.test(id));
      const records: JsonObject[] = [];
      for (let start = 0; start < wanted.length; start += chunk) {
        const some = wanted.slice(start, start + chunk).join(",");
        records.push(...(await bd.list(["list", `--id=${some}`, "--all", "--limit=0"], call?.signal)));
      }
      if (records.length === 0) return [];
      const order = new Map(wanted.map((id, index) => [id, index]));
      return (await read(records, call?.signal))
        .map((each) => {
          if (typeof each === "string") throw malformedRecord(each);
          return each;
        })
        .toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
    },
    tools: (session) => [updateTool(writer, session)],
  };
}

function readIssue(raw: JsonObject, blockers: readonly unknown[] | undefined, assignee: string | null): Issue | string {
  const id = text(raw.id);
  if (id === null || !idForm.test(id)) return "bd printed an issue without a usable id.";
  const title = text(raw.title);
  if (title === null) return `The issue ${id} of beads has no title.`;
  const state = text(raw.status);
  if (state === null) return `The issue ${id} of beads has no status.`;
  const parts = [raw.description, raw.design, raw.acceptance_criteria].flatMap((part) => text(part) ?? []);
  const priority = priorityOf(raw.priority);
  return {
    id,
    nativeRef: { type: text(raw.issue_type) ?? "task" },
    identifier: id,
    title,
    description: parts.length === 0 ? null : parts.join("\n\n"),
    // Theirs begin with 0.
    priority: priority === null ? null : priority + 1,
    state,
    branchName: null,
    url: null,
    assigneeId: text(raw.assignee),
    labels: labelsOf(asList(raw.labels)),
    blockedBy: (blockers ?? []).map((each) => ({ id: text(each), identifier: text(each), state: null })),
    dispatchable: blockers === undefined && (assignee === null || text(raw.assignee) === assignee),
    createdAt: instantOf(raw.created_at),
    updatedAt: instantOf(raw.updated_at),
  };
}

function beadsWriter(bd: Bd, terminalStates: readonly string[]): IssueWriter & IssueUpdates {
  const comment = async (id: string, words: string, signal?: AbortSignal) => {
    await bd.run(["comments", "add", id, "--", words], signal);
  };
  return {
    async setState({ id, state: before }, state, { signal } = {}) {
      const wanted = normalState(state);
      if (wanted === "closed") await bd.run(["close", id, "--reason=Done"], signal);
      else if (isStateIn(before, terminalStates) && wanted === "open") await bd.run(["reopen", id], signal);
      else await bd.run(["update", id, `--status=${wanted}`], signal);
    },
    comment: ({ id }, words, { signal }) => comment(id, words, signal),
    // A comment cannot be changed here, so each says what is new.
    async writeNote({ id }, words) {
      await comment(id, words);
      return "note";
    },
  };
}
