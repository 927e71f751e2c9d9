import type { Settings } from "../settings.ts";

/** The built-in provider whose requests are signed for AWS. */
export const bedrockId = "amazon-bedrock";

/** Signing of requests for AWS: `[model_providers.amazon-bedrock.aws]`. */
export interface AwsAccess {
  /** A profile in AWS's own files; `null` to use the environment. */
  readonly profile: string | null;
  readonly region: string | null;
  /** Signs the user in again when AWS rejects the keys. */
  readonly refresh: AwsRefresh | null;
}

/** `auth_refresh`: a command of the AWS CLI, such as `aws sso login`. */
interface AwsRefresh {
  readonly command: string;
  readonly args: readonly string[];
  readonly timeoutMs: number;
}

/** The user may have to use a browser first. */
const defaultRefreshMs = 180_000;

/** Reads it. Throws a ConfigError for what cannot be used. */
export function awsAccess(provider: string, settings: Settings): AwsAccess {
  const at = (...keys: string[]) => ["model_providers", provider, "aws", ...keys];
  return {
    profile: settings.name(...at("profile")),
    region: settings.name(...at("region")),
    refresh: settings.table(...at("auth_refresh")) === null ? null : refresh(at("auth_refresh"), settings),
  };
}

function refresh(at: readonly string[], settings: Settings): AwsRefresh {
  const command = settings.name(...at, "command");
  // The command runs unconfined, so only this program is allowed.
  if (command !== "aws") throw settings.error([...at, "command"], 'must be "aws". Put the rest into args.');
  return {
    command,
    args: settings.strings(...at, "args"),
    timeoutMs: settings.count(...at, "timeout_ms") || defaultRefreshMs,
  };
}
