import type { ProviderConfig } from "../../config/effective-config.ts";
import { untilAborted } from "../../lib/until-aborted.ts";
import { withRetries } from "../attempt/retry-loop.ts";
import type { AwsSigner } from "../aws/aws-signer.ts";
import { type Clock, systemClock } from "../clock.ts";
import { Failure } from "../failure.ts";
import { hasLogin, withLogin } from "../login/with-login.ts";
import type { ModelProvider, ModelRequest, ModelResult, ModelSink } from "../model-provider.ts";
import { redactFailure } from "../redact-failure.ts";
import { type ProviderServices, requestHeaders, requestUrl } from "../request-headers.ts";
import { Refusal } from "./refusal.ts";
import { requestBody } from "./request-body.ts";
import { streamOnce } from "./response-stream.ts";

/** Options of {@link responsesProvider}. */
export interface ResponsesOptions extends ProviderServices {
  readonly clock?: Clock | undefined;
  /** Writes the body of a request. Default: {@link requestBody}. */
  readonly body?: ((request: ModelRequest) => string) | undefined;
  /** True for a failure that a request in another form may not have. It ends all attempts, as a {@link Refusal}. */
  readonly refuses?: ((failure: Failure) => boolean) | undefined;
}

/** A provider that speaks the Responses API: `POST {base_url}/responses`, answered by server-sent events. */
export function responsesProvider(config: ProviderConfig, options: ResponsesOptions): ModelProvider {
  const clock = options.clock ?? systemClock;
  return {
    id: config.id,
    stream(request, sink, signal) {
      const body = (options.body ?? requestBody)(request);
      const what = { request, config, options, clock, body };
      const login = { config, services: options, sink, signal };
      const once = () => withLogin(login, (aws) => send({ ...what, aws }, sink, signal));
      return withRetries(once, { config, clock, sink, signal });
    },
  };
}

interface Attempt {
  readonly request: ModelRequest;
  readonly config: ProviderConfig;
  readonly options: ResponsesOptions;
  readonly clock: Clock;
  readonly body: string;
  readonly aws: AwsSigner | undefined;
}

async function send(what: Attempt, sink: ModelSink, signal: AbortSignal): Promise<ModelResult> {
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
    if (!refused || !config.requiresOpenaiAuth || headers.authorization !== undefined) {
      const shown = redactFailure(error, prepared);
      throw options.refuses?.(shown) ? new Refusal(shown) : shown;
    }
    throw new Failure(`Not logged in to "${config.name}": log in, or set an API key.`, "unauthorized");
  }
}
