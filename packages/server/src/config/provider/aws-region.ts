import type { AwsAccess } from "./aws-access.ts";
import { awsProfile } from "./aws-files.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** The region of requests; `null` when none is set. */
export function awsRegion({ profile, region }: AwsAccess, env: Env): string | null {
  if (region !== null) return region;
  const stored = () => awsProfile(env, profile ?? env.AWS_PROFILE ?? "default").region;
  return (profile === null ? (env.AWS_REGION ?? env.AWS_DEFAULT_REGION) : undefined) ?? stored() ?? null;
}
