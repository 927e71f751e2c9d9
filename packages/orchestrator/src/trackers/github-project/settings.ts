import { TrackerError } from "../../tracker/tracker-error.ts";
import { type GithubSettings, githubSettings } from "../github/settings.ts";
import type { JsonObject } from "../records/normalize.ts";
import { type ProviderEnv, textSetting } from "../records/settings.ts";

/** Validated `tracker.provider` settings for a project on GitHub. */
export interface ProjectSettings extends GithubSettings {
  /** Login of the user or organization that has the project. */
  readonly projectOwner: string;
  /** Number in the project's address. */
  readonly project: number;
  /** Name of the field whose value is an issue's state. */
  readonly statusField: string;
}

/** Reads and checks `tracker.provider`. */
export function projectSettings(provider: JsonObject, env: ProviderEnv): ProjectSettings {
  const settings = githubSettings(provider, env);
  const { project } = provider;
  if (typeof project !== "number" || !Number.isInteger(project) || project < 1) {
    throw new TrackerError("invalid_tracker_config", "tracker.provider.project must be the number in its address.");
  }
  return {
    ...settings,
    project,
    projectOwner: textSetting(provider, "project_owner", env) ?? settings.owner,
    statusField: textSetting(provider, "status_field", env) ?? "Status",
  };
}
