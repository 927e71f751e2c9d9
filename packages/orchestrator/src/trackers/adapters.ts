import type { TrackerAdapters } from "../tracker/adapter.ts";
import { folderAdapter } from "./folder/folder-tracker.ts";
import { githubAdapter } from "./github/github-tracker.ts";
import { linearAdapter } from "./linear/linear-tracker.ts";

/** The trackers that come with the orchestrator, by `tracker.kind`. */
export const trackerAdapters: TrackerAdapters = {
  folder: folderAdapter,
  github: githubAdapter,
  linear: linearAdapter,
};
