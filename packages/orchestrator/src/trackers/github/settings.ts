import { TrackerError } from "../../tracker/tracker-error.ts";
import { priorityLabels, stateLabels } from "../records/label-settings.ts";
import type { JsonObject } from "../records/normalize.ts";
import { addressSetting, type ProviderEnv, reference, requireSecret, textSetting } from "../records/settings.ts";

/** Validated `tracker.provider` settings for GitHub. */
export interface GithubSettings {
  readonly apiUrl: string;
  readonly owner: string;
  readonly repo: string;
  readonly token: string;
  /** Label (lower case) → name of the state that an open issue with it has, in the order of the file. */
  readonly stateLabels: ReadonlyMap<string, string>;
  /** Label (lower case) → priority. */
  readonly priorityLabels: ReadonlyMap<string, number>;
  /** Only issues of this login are worked on. */
  readonly assignee: string | null;
  /** Authors whose issues are worked on: people who can write to the repository, or anybody. */
  readonly authors: "writers" | "any";
  /** Requests that GitHub is sent in an hour at most. */
  readonly requestsPerHour: number;
  /** Reach of the tool. */
  readonly toolScope: "issue" | "repo" | "any";
}

const defaultApi = "https://api.github.com";

/** Environment variables that hold the credential, whatever the workflow says. */
const githubSecretNames: readonly string[] = ["GITHUB_TOKEN", "GH_TOKEN"];

/** Reads and checks `tracker.provider`. */
export function githubSettings(provider: JsonObject, env: ProviderEnv): GithubSettings {
  const fullName = textSetting(provider, "repo", env) ?? textOf(env.GITHUB_REPOSITORY);
  const [, owner, repo] = /^([A-Za-z0-9_.-]+)\/([A-Za-z0-9_.-]+)$/.exec(fullName ?? "") ?? [];
  if (owner === undefined || repo === undefined || /^\.+$/.test(repo) || /^\.+$/.test(owner)) {
    const said = fullName === null ? "is missing" : `is "${provider.repo ?? "$GITHUB_REPOSITORY"}"`;
    throw invalid(`tracker.provider.repo ${said}: write the repository as "owner/name".`);
  }
  return {
    apiUrl: addressSetting(provider, "api_url", { env, fallback: defaultApi }).href.replace(/\/+$/, ""),
    owner,
    repo,
    token: requireSecret(provider, "token", { env, fallbacks: githubSecretNames }),
    stateLabels: stateLabels(provider.state_labels, ["open", "closed"]),
    priorityLabels: priorityLabels(provider.priority_labels),
    assignee: textSetting(provider, "assignee", env),
    authors: authors(provider.authors),
    requestsPerHour: requestsPerHour(provider.requests_per_hour),
    toolScope: toolScope(provider.tool_scope),
  };
}

/** GitHub allows a user 5,000; the rest is for people and agents. */
const defaultRequests = 4000;

function requestsPerHour(value: unknown): number {
  const count = value ?? defaultRequests;
  if (typeof count === "number" && Number.isInteger(count) && count > 0) return count;
  throw invalid(`tracker.provider.requests_per_hour is ${JSON.stringify(value)}: write a whole number.`);
}

function authors(value: unknown): GithubSettings["authors"] {
  const who = value ?? "writers";
  if (who === "writers" || who === "any") return who;
  throw invalid(`tracker.provider.authors is ${JSON.stringify(value)}: write "writers" or "any".`);
}

/** Names whose values must not reach a child process. */
export function githubSecrets(provider: JsonObject): string[] {
  const named = reference(provider.token);
  return named === null ? [...githubSecretNames] : [...new Set([...githubSecretNames, named])];
}

function toolScope(value: unknown): GithubSettings["toolScope"] {
  const scope = value ?? "issue";
  if (scope === "issue" || scope === "repo" || scope === "any") return scope;
  throw invalid(`tracker.provider.tool_scope is ${JSON.stringify(value)}: write "issue", "repo" or "any".`);
}

const invalid = (message: string) => new TrackerError("invalid_tracker_config", message);
const textOf = (value: string | undefined) => (value !== undefined && value.trim() !== "" ? value.trim() : null);
