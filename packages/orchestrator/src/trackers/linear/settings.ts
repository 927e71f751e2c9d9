import { TrackerError } from "../../tracker/tracker-error.ts";
import type { JsonObject } from "../common/normalize.ts";
import { type ProviderEnv, reference, requireSecret, textSetting } from "../common/settings.ts";

/** What `tracker.provider` says about Linear, checked. */
export interface LinearSettings {
  readonly endpoint: string;
  readonly apiKey: string;
  /** The project whose issues are worked on, by the slug in its address. */
  readonly projectSlug: string | null;
  /** The team whose issues are worked on, by its key (`ENG`). */
  readonly teamKey: string | null;
  /** Only issues of this user are worked on: a user's id, or `me`. */
  readonly assignee: string | null;
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
    endpoint: endpoint(textSetting(provider, "endpoint", env) ?? defaultEndpoint),
    apiKey: requireSecret(provider, "api_key", { env, fallbacks: linearSecretNames }),
    projectSlug,
    teamKey,
    assignee: textSetting(provider, "assignee", env),
  };
}

/** Names whose values must not reach a child process. */
export function linearSecrets(provider: JsonObject): string[] {
  const named = reference(provider.api_key);
  return named === null ? [...linearSecretNames] : [...new Set([...linearSecretNames, named])];
}

function endpoint(value: string): string {
  const url = URL.parse(value);
  const local = url !== null && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  if (url === null || !(url.protocol === "https:" || (url.protocol === "http:" && local))) {
    throw invalid(`tracker.provider.endpoint is "${value}": an https address is needed, such as ${defaultEndpoint}.`);
  }
  return url.href;
}

const invalid = (message: string) => new TrackerError("invalid_tracker_config", message);
