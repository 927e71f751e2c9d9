import { resolve } from "node:path";
import type { Settings } from "../settings.ts";

/** A program that prints a provider's token: `[model_providers.NAME.auth]`. */
export interface TokenCommand {
  /** A name on PATH or a path. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly timeoutMs: number;
  /** Lifetime of a token before the program runs again; 0 for as long as the provider accepts it. */
  readonly refreshIntervalMs: number;
  /** The reason why it must not run now. */
  readonly refuse?: (() => string | undefined) | undefined;
}

const defaultTimeoutMs = 5000;
const defaultRefreshMs = 300_000;

const others = ["env_key", "experimental_bearer_token", "requires_openai_auth"];

/** Reads it; `null` where the provider has none. Throws a ConfigError for one that cannot be used. */
export function tokenCommand(provider: string, settings: Settings): TokenCommand | null {
  const row = ["model_providers", provider];
  const at = (...keys: string[]) => [...row, "auth", ...keys];
  if (settings.table(...at()) === null) return null;
  const other = others.find((key) => settings.raw(...row, key) !== undefined && settings.raw(...row, key) !== false);
  if (other !== undefined) throw settings.error(at(), `cannot be combined with ${other}. Remove one of them.`);
  const command = settings.name(...at("command"));
  if (command === null) throw settings.error(at(), "command is missing. Add the program that prints the token.");
  const timeoutMs = settings.count(...at("timeout_ms"));
  if (timeoutMs === 0) throw settings.error(at("timeout_ms"), "must be at least 1. Leave it out for five seconds.");
  const cwd = settings.name(...at("cwd"));
  return {
    command,
    args: settings.strings(...at("args")),
    cwd: cwd === null ? process.cwd() : resolve(settings.folderOf(at("cwd")) ?? "", cwd),
    timeoutMs: timeoutMs ?? defaultTimeoutMs,
    refreshIntervalMs: settings.count(...at("refresh_interval_ms")) ?? defaultRefreshMs,
  };
}
