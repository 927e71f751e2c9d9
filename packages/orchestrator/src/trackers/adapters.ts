import type { TrackerAdapters } from "../tracker/adapter.ts";
import { beadsAdapter } from "./beads/beads-tracker.ts";
import { folderAdapter } from "./folder/folder-tracker.ts";
import { githubAdapter } from "./github/github-tracker.ts";
import { githubProjectAdapter } from "./github-project/project-tracker.ts";
import { gitlabAdapter } from "./gitlab/gitlab-tracker.ts";
import { jiraAdapter } from "./jira/jira-tracker.ts";
import { linearAdapter } from "./linear/linear-tracker.ts";

/** The trackers that come with the orchestrator, by `tracker.kind`. */
export const trackerAdapters: TrackerAdapters = {
  folder: folderAdapter,
  github: githubAdapter,
  github_project: githubProjectAdapter,
  gitlab: gitlabAdapter,
  jira: jiraAdapter,
  linear: linearAdapter,
  beads: beadsAdapter,
};
