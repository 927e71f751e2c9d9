import type { ProviderConfig } from "../config/effective-config.ts";
import { errorMessage } from "../lib/error-message.ts";
import type { AwsSigner } from "./aws/aws-signer.ts";
import { Failure } from "./failure.ts";
import type { ModelSink } from "./model-provider.ts";
import type { ProviderServices } from "./request-headers.ts";

/** What can be done about a request that its provider refuses for who asks. */
export interface Renewal {
  /** Whether the failure is of that kind. */
  fits(failure: Failure): boolean;
  /** Whether there is something new to ask with. Rejects with a {@link Failure} that says why not. */
  renew(): Promise<boolean>;
}

/** How a provider's login is renewed, before a request is sent with it; `undefined` where it cannot be. */
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
        // The command has said why, where it was asked; what AWS said is told.
        return false;
      }
      sink.notice?.({ kind: "recovery", phase: "completed", provider });
      return true;
    },
  };
}

const isRefused = ({ httpStatus }: Failure): boolean => httpStatus === 401;
