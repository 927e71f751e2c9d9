import type { ProviderConfig } from "../config/effective-config.ts";
import { untilAborted } from "../lib/until-aborted.ts";
import type { AwsSigner } from "./aws/aws-signer.ts";
import { backoffMs, type Clock, pause, systemClock } from "./clock.ts";
import { Failure } from "./failure.ts";
import type { ModelProvider, ModelRequest, ModelResult, ModelSink } from "./model-provider.ts";
import { redactFailure } from "./redact-failure.ts";
import { renewalOf } from "./renewal.ts";
import { requestBody } from "./request-body.ts";
import { type ProviderServices, requestHeaders, requestUrl } from "./request-headers.ts";
import { streamOnce } from "./response-stream.ts";

/** Options of {@link responsesProvider}. */
export interface ResponsesOptions extends ProviderServices {
  readonly clock?: Clock | undefined;
}

/** A provider that speaks the Responses API: `POST {base_url}/responses`, answered by server-sent events. */
export function responsesProvider(config: ProviderConfig, options: ResponsesOptions): ModelProvider {
  const clock = options.clock ?? systemClock;
  return {
    id: config.id,
    async stream(request, sink, signal) {
      const body = requestBody(request);
      const once = (): Promise<ModelResult> => attempt({ request, config, options, clock, body }, sink, signal);
      for (let retries = 0; ; ) {
        try {
          return await retryRequest(once, { config, clock, signal });
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          const again = error.retry === "stream" || error.retry === "both";
          if (!again || retries >= config.streamMaxRetries) throw error.toModelError();
          retries++;
          sink.retrying(error.toRetryNotice(retries, config.streamMaxRetries), retries, config.streamMaxRetries);
          await pause(clock, error.waitMs ?? backoffMs(clock, retries), signal);
        }
      }
    },
  };
}

interface Attempt {
  readonly request: ModelRequest;
  readonly config: ProviderConfig;
  readonly options: ProviderServices;
  readonly clock: Clock;
  readonly body: string;
}

/** Sends a request; when the login is refused, once more with a new one. */
async function attempt(what: Attempt, sink: ModelSink, signal: AbortSignal): Promise<ModelResult> {
  const { config, options } = what;
  const aws = config.aws ? new (await import("./aws/aws-signer.ts")).AwsSigner(config.aws, options.env) : undefined;
  const renewal = hasLogin(config) ? await untilAborted(renewalOf(config, options, { aws, sink }), signal) : undefined;
  const once = () => send({ ...what, aws }, sink, signal);
  try {
    return await once();
  } catch (error) {
    if (!(error instanceof Failure) || !renewal?.fits(error) || !(await untilAborted(renewal.renew(), signal)))
      throw error;
    return await once();
  }
}

/** True when a login may take long to get or renew: from a user, a program, another server. */
function hasLogin({ requiresOpenaiAuth, gatewayOauth, tokenCommand, aws }: ProviderConfig): boolean {
  return requiresOpenaiAuth || Boolean(gatewayOauth ?? tokenCommand ?? aws);
}

async function send(
  what: Attempt & { readonly aws: AwsSigner | undefined },
  sink: ModelSink,
  signal: AbortSignal,
): Promise<ModelResult> {
  const { request, config, options, clock, body, aws } = what;
  const url = requestUrl(config);
  // Made anew for each attempt: a login may have been renewed in the meantime.
  const made = requestHeaders(request, config, options);
  const plain = hasLogin(config) ? await untilAborted(made, signal) : await made;
  const headers = aws ? await untilAborted(aws.headers({ url, headers: plain, body }), signal) : plain;
  const prepared = { url, headers, body, idleTimeoutMs: config.streamIdleTimeoutMs, clock };
  try {
    return await streamOnce(prepared, sink, signal);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const refused = error.httpStatus === 401;
    if (!refused || !config.requiresOpenaiAuth || headers.authorization !== undefined)
      throw redactFailure(error, prepared);
    throw new Failure(`Not logged in to "${config.name}": log in, or set an API key.`, "unauthorized");
  }
}

interface RetryContext {
  readonly config: ProviderConfig;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Retries a request that failed before any event came. */
async function retryRequest(once: () => Promise<ModelResult>, context: RetryContext): Promise<ModelResult> {
  const { config, clock, signal } = context;
  for (let retries = 0; ; ) {
    try {
      return await once();
    } catch (error) {
      const again = error instanceof Failure && (error.retry === "request" || error.retry === "both");
      if (!again || retries >= config.requestMaxRetries) throw error;
      retries++;
      await pause(clock, error.waitMs ?? backoffMs(clock, retries), signal);
    }
  }
}
