import { withoutCredentials } from "../../lib/secrets.ts";
import { TrackerError } from "../../tracker/tracker-error.ts";
import type { JsonObject } from "./normalize.ts";

/** Environment in which `$NAME` of the workflow is looked up. */
export type ProviderEnv = Readonly<Record<string, string | undefined>>;

/** The variable that a setting such as `$GITHUB_TOKEN` names, or null. */
export function reference(value: unknown): string | null {
  return typeof value === "string" ? (/^\$([A-Za-z_][A-Za-z0-9_]*)$/.exec(value.trim())?.[1] ?? null) : null;
}

/** A setting as text, with `$NAME` replaced; null where it is missing or empty. */
export function textSetting(provider: JsonObject, key: string, env: ProviderEnv): string | null {
  const value = provider[key];
  if (value === undefined || value === null) return null;
  if (typeof value !== "string") {
    throw new TrackerError("invalid_tracker_config", `tracker.provider.${key} must be text.`);
  }
  const name = reference(value);
  return filled(name === null ? value : env[name]);
}

/** Sources of a credential besides its setting. */
export interface SecretSources {
  readonly env: ProviderEnv;
  /** Variables that are looked at when the setting is absent, the usual one first. */
  readonly fallbacks: readonly string[];
}

/** A credential: from the setting, or from the first of the variables that is set. An empty one is a missing one. */
export function requireSecret(provider: JsonObject, key: string, { env, fallbacks }: SecretSources): string {
  const absent = provider[key] === undefined || provider[key] === null;
  const candidates = absent ? fallbacks.map((name) => filled(env[name])) : [textSetting(provider, key, env)];
  const secret = candidates.find((value) => value !== null);
  if (secret) return sendable(secret, key);
  const name = reference(provider[key]) ?? fallbacks[0];
  throw new TrackerError(
    "missing_tracker_secret",
    `The tracker's credential is missing: set the environment variable ${name}, or name another one in tracker.provider.${key}.`,
  );
}

/** A credential as a header can hold it: what cannot be sent would be repeated in the error. */
function sendable(secret: string, key: string): string {
  if (/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(secret)) return secret;
  const message = `tracker.provider.${key} holds characters that no credential has, such as a line break: copy it again.`;
  throw new TrackerError("invalid_tracker_config", message);
}

/** A setting that is an address: https, or http on this machine, and no credentials in it. */
export function addressSetting(provider: JsonObject, key: string, options: AddressOptions): URL {
  const value = textSetting(provider, key, options.env) ?? options.fallback;
  const url = URL.parse(value);
  const local = url !== null && ["127.0.0.1", "localhost", "[::1]"].includes(url.hostname);
  const isSafe = url !== null && (url.protocol === "https:" || (url.protocol === "http:" && local));
  if (isSafe && url.username === "" && url.password === "" && url.search === "" && url.hash === "") return url;
  // As it is written: a variable may hold something else than was meant.
  const written = withoutCredentials(String(provider[key] ?? value));
  const wanted = `an https address without user, password, query and fragment is needed, such as ${options.fallback}`;
  throw new TrackerError("invalid_tracker_config", `tracker.provider.${key} is "${written}": ${wanted}.`);
}

/** Options for reading an address. */
interface AddressOptions {
  readonly env: ProviderEnv;
  readonly fallback: string;
}

function filled(value: string | undefined): string | null {
  return value !== undefined && value.trim() !== "" ? value.trim() : null;
}
