import type { ProviderConfig } from "../../config/effective-config.ts";
import { errorMessage } from "../../lib/error-message.ts";
import type { AwsSigner } from "../aws/aws-signer.ts";
import { Failure } from "../failure.ts";
import type { ModelSink } from "../model-provider.ts";
import type { ProviderServices } from "../request-headers.ts";

/** A way to renew a login that the provider refuses. */
export interface Renewal {
  /** True when the failure is a refused login. */
  fits(failure: Failure): boolean;
  /** True when there is a new login to try. Rejects with a {@link Failure} that says why not. */
  renew(): Promise<boolean>;
}

/** The renewal for a provider's login; `undefined` when there is none. */
export async function renewalOf(
  config: ProviderConfig,
  services: ProviderServices,
  signing: { readonly aws: AwsSigner | undefined; readonly sink: ModelSink },
): Promise<Renewal | undefined> {
  const { auth, renewAuth } = services;
  if (signing.aws) return awsRenewal(config, signing.aws, signing.sink);
  const access = services.printed ?? (config.gatewayOauth && services.gateway);
  if (access) {
    const used = await access.token();
    return used === null ? undefined : { fits: isRefused, renew: async () => (await access.renew(used)) !== null };
  }
  if (!config.requiresOpenaiAuth || !auth || !renewAuth) return undefined;
  const used = await auth();
  if (used === null) return undefined;
  return {
    fits: isRefused,
    renew: async () => {
      await renewAuth(used).catch((problem: unknown) => {
        throw new Failure(errorMessage(problem), "other");
      });
      // An API key, and a login that cannot be renewed, stay refused.
      return (await auth()) !== used;
    },
  };
}

function awsRenewal({ name: provider }: ProviderConfig, aws: AwsSigner, sink: ModelSink): Renewal {
  return {
    fits: (failure) => aws.isExpired(failure),
    renew: async () => {
      sink.notice?.({ kind: "recovery", phase: "started", provider });
      try {
        await aws.refresh();
      } catch {
        // The command has reported why; AWS's own error is shown.
        return false;
      }
      sink.notice?.({ kind: "recovery", phase: "completed", provider });
      return true;
    },
  };
}

const isRefused = ({ httpStatus }: Failure): boolean => httpStatus === 401;
