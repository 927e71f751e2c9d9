import { TrackerError } from "../../tracker/tracker-error.ts";
import type { JsonObject } from "../records/normalize.ts";
import { addressSetting, type ProviderEnv, reference, requireSecret, textSetting } from "../records/settings.ts";

/** Validated `tracker.provider` settings for Jira. */
export interface JiraSettings {
  /** Without a slash at its end. */
  readonly url: string;
  /** The project's key, in upper case. */
  readonly project: string;
  /** Account of the token; null for one that is sent as `Bearer`. */
  readonly email: string | null;
  readonly token: string;
  /** Further condition, in Jira's query language. */
  readonly jql: string | null;
  /** Only issues of this account id are worked on. */
  readonly assignee: string | null;
}

/** Environment variables that hold the credential, whatever the workflow says. */
const secretNames: readonly string[] = ["JIRA_API_TOKEN"];

/** Reads and checks `tracker.provider`. */
export function jiraSettings(provider: JsonObject, env: ProviderEnv): JiraSettings {
  if (textSetting(provider, "url", env) === null) throw invalid("url is missing: write https://NAME.atlassian.net.");
  const project = textSetting(provider, "project", env);
  if (project === null || !/^[A-Za-z][A-Za-z0-9_]*$/.test(project))
    throw invalid('project must be a key such as "APP".');
  const jql = textSetting(provider, "jql", env);
  if (jql !== null && /\border\s+by\b/i.test(jql)) throw invalid("jql cannot have ORDER BY: the order is set already.");
  return {
    url: addressSetting(provider, "url", { env, fallback: "https://example.atlassian.net" }).href.replace(/\/+$/, ""),
    project: project.toUpperCase(),
    email: textSetting(provider, "email", env),
    token: requireSecret(provider, "api_token", { env, fallbacks: secretNames }),
    jql,
    assignee: textSetting(provider, "assignee", env),
  };
}

/** Names whose values must not reach a child process. */
export function jiraSecrets(provider: JsonObject): string[] {
  const named = reference(provider.api_token);
  return named === null ? [...secretNames] : [...new Set([...secretNames, named])];
}

const invalid = (message: string) => new TrackerError("invalid_tracker_config", `tracker.provider.${message}`);
