import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { AdapterContext, TrackerAdapter, TrackerConfig } from "../../tracker/adapter.ts";
import type { AdapterProfile } from "../../tracker/adapter-profile.ts";
import { type BlockingIssue, type Issue, isStateIn, normalState } from "../../tracker/issue.ts";
import type { Tracker } from "../../tracker/tracker.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import { MalformedReport, malformedRecord } from "../records/malformed.ts";
import { textSetting } from "../records/settings.ts";
import { FolderStore } from "./folder-store.ts";
import type { IssueFile } from "./issue-file.ts";
import { trackerUpdateTool } from "./tool.ts";
import { folderWriter } from "./writer.ts";

const profile: AdapterProfile = {
  kind: "folder",
  title: "Folder of Markdown files",
  ids: "Id and identifier are the file's name without .md; native_ref holds the file's name as path.",
  dispatchable:
    "In the first active state every issue of blocked_by must be there and in a terminal state; with tracker.provider.assignee only that person's issues.",
  defaultActiveStates: ["Todo", "In Progress"],
  defaultTerminalStates: ["Done", "Closed", "Cancelled", "Canceled", "Duplicate"],
  settings: ["path", "assignee", "states"],
  tools: ["tracker_update"],
};

/** Issues as Markdown files in a folder. Needs no network and no credential. */
export const folderAdapter: TrackerAdapter = {
  profile,
  create: (config, context) => folderTracker(config, context),
};

function folderTracker(config: TrackerConfig, { baseDir, env, log }: AdapterContext): Tracker {
  const store = new FolderStore(folderOf(textSetting(config.provider, "path", env) ?? "issues", baseDir));
  const assignee = textSetting(config.provider, "assignee", env);
  const states = allowedStates(config.provider.states);
  const malformed = new MalformedReport(log);

  /** Fills in what the blockers' files say. */
  async function complete({ issue, blockers }: IssueFile): Promise<Issue> {
    const blockedBy = await Promise.all(blockers.map((identifier) => blockerOf(identifier, store)));
    const [first] = config.activeStates;
    const held =
      first !== undefined &&
      isStateIn(issue.state, [first]) &&
      blockedBy.some(({ state }) => state === null || !isStateIn(state, config.terminalStates));
    const ours = assignee === null || issue.assigneeId?.trim().toLowerCase() === assignee.toLowerCase();
    return { ...issue, blockedBy, dispatchable: !held && ours };
  }

  return {
    profile,
    writer: folderWriter(store),
    scope: `folder ${realFolder(store.folder)}`,
    secretEnvNames: [],
    secrets: [],
    async fetchIssuesByStates(wanted, call) {
      if (wanted.length === 0) return [];
      const keys = new Set(wanted.map(normalState));
      const contents = [...(await store.all(call?.signal)).values()];
      malformed.report(contents.filter((each) => typeof each === "string"));
      const files = contents.filter((each) => typeof each !== "string");
      return Promise.all(files.filter(({ issue }) => keys.has(normalState(issue.state))).map(complete));
    },
    async fetchIssuesByIds(ids, call) {
      const found: Issue[] = [];
      const wanted = new Set(ids);
      for (const id of wanted) {
        call?.signal?.throwIfAborted();
        const content = await store.one(id);
        if (content === undefined) continue;
        if (typeof content === "string") throw malformedRecord(content);
        found.push(await complete(content));
      }
      if (found.length < wanted.size) await store.assertThere();
      return found;
    },
    tools: ({ issue, changed }) => [trackerUpdateTool(store, { identifier: issue.id, states, changed })],
  };
}

/** A blocker whose file is missing or malformed has no state, and so counts as unfinished. */
async function blockerOf(identifier: string, store: FolderStore): Promise<BlockingIssue> {
  const content = await store.one(identifier);
  const state = content === undefined || typeof content === "string" ? null : content.issue.state;
  return { id: identifier, identifier, state };
}

function folderOf(path: string, baseDir: string): string {
  const home = path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
  return isAbsolute(home) ? resolve(home) : resolve(baseDir, home);
}

/** The folder by its one name, as far as it is there. */
function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function allowedStates(value: unknown): readonly string[] | null {
  if (value === undefined || value === null) return null;
  const names = Array.isArray(value) ? value.filter((each) => typeof each === "string" && each.trim() !== "") : [];
  if (names.length > 0 && Array.isArray(value) && names.length === value.length) return names as string[];
  throw new TrackerError("invalid_tracker_config", "tracker.provider.states must be a list of the names of states.");
}
