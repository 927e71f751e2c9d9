import { join } from "node:path";
import type { BedrockAwsProfile, BedrockDiscoverResponse, BedrockEnvironmentCredential } from "@quire/protocol";
import { awsLines } from "../config/provider/aws-files.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The AWS logins found on this machine: profiles and variables. Returns no secrets. */
export function discoverAws(env: Env): BedrockDiscoverResponse {
  return { profiles: profiles(env), environmentCredentials: variables(env) };
}

function profiles(env: Env): BedrockAwsProfile[] {
  const folder = join(env.HOME ?? "/", ".aws");
  const found = new Map<string, string | null>();
  const files = [
    env.AWS_CONFIG_FILE ?? join(folder, "config"),
    env.AWS_SHARED_CREDENTIALS_FILE ?? join(folder, "credentials"),
  ];
  for (const path of files) {
    let name: string | undefined;
    for (const line of awsLines(path)) {
      const header = /^\[(?:profile\s+)?([^\]]+)\]$/.exec(line)?.[1]?.trim();
      if (header !== undefined) {
        name = /^(sso-session|services)\s/.test(header) ? undefined : header;
        if (name !== undefined && !found.has(name)) found.set(name, null);
      }
      const region = /^region\s*=\s*(\S+)/.exec(line)?.[1];
      if (name !== undefined && region !== undefined) found.set(name, region);
    }
  }
  return [...found].map(([name, region]) => ({ name, region })).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function variables(env: Env): BedrockEnvironmentCredential[] {
  const region = env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? null;
  const keys = env.AWS_ACCESS_KEY_ID && env.AWS_SECRET_ACCESS_KEY ? [{ type: "accessKeys" as const, region }] : [];
  return [...(env.AWS_BEARER_TOKEN_BEDROCK ? [{ type: "bedrockApiKey" as const, region }] : []), ...keys];
}
