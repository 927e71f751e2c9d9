import type { ProviderConfig } from "../../config/effective-config.ts";
import { untilAborted } from "../../lib/until-aborted.ts";
import type { AwsSigner } from "../aws/aws-signer.ts";
import { Failure } from "../failure.ts";
import type { ModelResult, ModelSink } from "../model-provider.ts";
import type { ProviderServices } from "../request-headers.ts";
import { renewalOf } from "./renewal.ts";

/** An attempt's login and receiver. */
interface LoginContext {
  readonly config: ProviderConfig;
  readonly services: ProviderServices;
  readonly sink: ModelSink;
  readonly signal: AbortSignal;
}

/** Sends a request; when the login is refused, once more with a new one. */
export async function withLogin(
  { config, services, sink, signal }: LoginContext,
  send: (aws: AwsSigner | undefined) => Promise<ModelResult>,
): Promise<ModelResult> {
  const aws = config.aws ? new (await import("../aws/aws-signer.ts")).AwsSigner(config.aws, services.env) : undefined;
  const renewal = hasLogin(config) ? await untilAborted(renewalOf(config, services, { aws, sink }), signal) : undefined;
  try {
    return await send(aws);
  } catch (error) {
    if (!(error instanceof Failure) || !renewal?.fits(error) || !(await untilAborted(renewal.renew(), signal)))
      throw error;
    return await send(aws);
  }
}

/** True when a login may take long to get or renew: from a user, a program, another server. */
export function hasLogin({ requiresOpenaiAuth, gatewayOauth, tokenCommand, aws }: ProviderConfig): boolean {
  return requiresOpenaiAuth || Boolean(gatewayOauth ?? tokenCommand ?? aws);
}
