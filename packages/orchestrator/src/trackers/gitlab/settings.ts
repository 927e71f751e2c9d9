import { TrackerError } from "../../tracker/tracker-error.ts";
import { priorityLabels, stateLabels } from "../records/label-settings.ts";
import { asObject, type JsonObject } from "../records/normalize.ts";
import { addressSetting, type ProviderEnv, reference, requireSecret, textSetting } from "../records/settings.ts";
import type { GitlabAccess } from "./client.ts";

/** Validated `tracker.provider` settings for GitLab. */
export interface GitlabSettings extends GitlabAccess {
  readonly stateLabels: ReadonlyMap<string, string>;
  /** The same labels in the case in which GitLab has them, by their names in lower case. */
  readonly labelNames: ReadonlyMap<string, string>;
  readonly priorityLabels: ReadonlyMap<string, number>;
  /** Only issues of this user name are worked on. */
  readonly assignee: string | null;
  /** Authors whose issues are worked on: people who may push to the project, or anybody. */
  readonly authors: "writers" | "any";
}

/** Environment variables that hold the credential, whatever the workflow says. */
const secretNames: readonly string[] = ["GITLAB_TOKEN"];

/** Reads the address and the credential of a project. @param section Where the workflow has them. */
export function gitlabAccess(provider: JsonObject, env: ProviderEnv, section = "tracker.provider"): GitlabAccess {
  const project = textSetting(provider, "project", env);
  if (project === null || !/^[\w.-]+(\/[\w.-]+)+$/.test(project))
    throw invalid(`${section}.project must be written as "group/project".`);
  const url = addressSetting(provider, "url", { env, fallback: "https://gitlab.com" }).href.replace(/\/+$/, "");
  return { url, project, token: requireSecret(provider, "token", { env, fallbacks: secretNames }), section };
}

/** Reads and checks `tracker.provider`. */
export function gitlabSettings(provider: JsonObject, env: ProviderEnv): GitlabSettings {
  const authors = provider.authors ?? "writers";
  if (authors !== "writers" && authors !== "any") throw invalid('tracker.provider.authors must be "writers" or "any".');
  const written = Object.values(asObject(provider.state_labels) ?? {}).map((label) => String(label).trim());
  return {
    ...gitlabAccess(provider, env),
    labelNames: new Map(written.map((label) => [label.toLowerCase(), label])),
    stateLabels: stateLabels(provider.state_labels, ["opened", "closed"]),
    priorityLabels: priorityLabels(provider.priority_labels),
    assignee: textSetting(provider, "assignee", env),
    authors,
  };
}

/** Names whose values must not reach a child process. */
export function gitlabSecrets(provider: JsonObject): string[] {
  const named = reference(provider.token);
  return named === null ? [...secretNames] : [...new Set([...secretNames, named])];
}

const invalid = (message: string) => new TrackerError("invalid_tracker_config", message);
