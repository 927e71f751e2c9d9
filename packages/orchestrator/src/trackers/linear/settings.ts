import { TrackerError } from "../../tracker/tracker-error.ts";
import type { JsonObject } from "../records/normalize.ts";
import { addressSetting, type ProviderEnv, reference, requireSecret, textSetting } from "../records/settings.ts";

/** Validated `tracker.provider` settings for Linear. */
export interface LinearSettings {
  readonly endpoint: string;
  readonly apiKey: string;
  /** The project whose issues are worked on, by the slug in its address. */
  readonly projectSlug: string | null;
  /** The team whose issues are worked on, by its key (`ENG`). */
  readonly teamKey: string | null;
  /** Only issues of this user are worked on: a user's id, or `me`. */
  readonly assignee: string | null;
  /** Reach of the tool's changes: the issue of its run, or anything the key allows. */
  readonly toolScope: "issue" | "any";
}

const defaultEndpoint = "https://api.linear.app/graphql";

/** Environment variables that hold the credential, whatever the workflow says. */
const linearSecretNames: readonly string[] = ["LINEAR_API_KEY"];

/** Reads and checks `tracker.provider`. */
export function linearSettings(provider: JsonObject, env: ProviderEnv): LinearSettings {
  const projectSlug = textSetting(provider, "project_slug", env);
  const teamKey = textSetting(provider, "team_key", env);
  if (projectSlug === null && teamKey === null) {
    throw invalid("tracker.provider needs project_slug (of the project's address) or team_key (such as ENG).");
  }
  return {
    endpoint: addressSetting(provider, "endpoint", { env, fallback: defaultEndpoint }).href,
    apiKey: requireSecret(provider, "api_key", { env, fallbacks: linearSecretNames }),
    projectSlug,
    teamKey,
    assignee: textSetting(provider, "assignee", env),
    toolScope: toolScope(provider.tool_scope),
  };
}

function toolScope(value: unknown): LinearSettings["toolScope"] {
  const scope = value ?? "issue";
  if (scope === "issue" || scope === "any") return scope;
  throw invalid(`tracker.provider.tool_scope is ${JSON.stringify(value)}: write "issue" or "any".`);
}

/** Names whose values must not reach a child process. */
export function linearSecrets(provider: JsonObject): string[] {
  const named = reference(provider.api_key);
  return named === null ? [...linearSecretNames] : [...new Set([...linearSecretNames, named])];
}

const invalid = (message: string) => new TrackerError("invalid_tracker_config", message);
