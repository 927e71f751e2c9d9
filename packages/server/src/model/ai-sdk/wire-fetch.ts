import type { ProviderConfig } from "../../config/effective-config.ts";
import { ownValue } from "../../lib/table.ts";
import { boundedBody } from "../attempt/answer-bound.ts";
import { connect, readError } from "../attempt/connect.ts";
import { Failure } from "../failure.ts";
import type { ModelRequest, ModelSink } from "../model-provider.ts";
import { redactFailure } from "../redact-failure.ts";
import { type ProviderServices, providerHeaders, requestHeaders, withQuery } from "../request-headers.ts";
import { mergeDeltas } from "./merge-deltas.ts";
import { wireFailure } from "./wire-failure.ts";
import { wireRateLimits } from "./wire-rate-limits.ts";

/** Context of one attempt. */
interface FetchContext {
  readonly config: ProviderConfig;
  readonly services: ProviderServices;
  readonly request: ModelRequest;
  readonly sink: ModelSink;
}

/** The part of `fetch` that the packages of the AI SDK use. */
export type WireFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * Sends the requests that a package of the AI SDK makes: with the provider's own address, headers and login, and with
 * our errors. The package only translates.
 */
export function wireFetch({ config, services, request, sink }: FetchContext): WireFetch {
  const isPackage = typeof config.wire === "object";
  return async (input, init = {}) => {
    const url = withQuery(input instanceof Request ? input.url : String(input), config);
    // A package knows where its key goes; ours are the packages of which we know.
    const { authorization: _, ...configured } = isPackage ? await providerHeaders(config, services) : {};
    const headers = isPackage
      ? { ...allHeaders(init.headers), ...configured }
      : { ...withoutKeys(init.headers), ...(await loginHeaders(config, services, request)) };
    const signal = init.signal ?? new AbortController().signal;
    try {
      const response = await connect({ url, method: init.method, headers, body: init.body, follow: false }, signal);
      if (response.ok || response.status === 429)
        for (const snapshot of wireRateLimits(config.id, response.headers)) sink.rateLimits(snapshot);
      if (response.ok && response.body) {
        const { status, headers: sent } = response;
        const body = boundedBody(response.body);
        // A package of its own wire may stream otherwise.
        return new Response(isPackage ? body : mergeDeltas(body), { status, headers: sent });
      }
      const elsewhere = response.status < 400 ? response.headers.get("location") : null;
      if (elsewhere !== null)
        throw new Failure(`The provider's address redirects to ${elsewhere}: set base_url to it.`, "other");
      const body = response.body ? await readError(response.body.getReader(), signal) : "";
      const { status, statusText } = response;
      throw wireFailure({ status, statusText, headers: response.headers, body, url });
    } catch (error) {
      throw error instanceof Failure ? redactFailure(error, { url, headers }) : error;
    }
  };
}

/** Headers in which packages send the key that they were made with; ours take their place. */
const keyHeaders = new Set(["authorization", "x-api-key", "x-goog-api-key", "api-key"]);

function allHeaders(given: RequestInit["headers"]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of new Headers(given as ConstructorParameters<typeof Headers>[0])) headers[name] = value;
  return headers;
}

function withoutKeys(given: RequestInit["headers"]): Record<string, string> {
  return Object.fromEntries(Object.entries(allHeaders(given)).filter(([name]) => !keyHeaders.has(name)));
}

/** The provider's headers. Its key is where the wire wants it; tokens of other origins are bearer tokens everywhere. */
async function loginHeaders(
  config: ProviderConfig,
  services: ProviderServices,
  request: ModelRequest,
): Promise<Record<string, string>> {
  const { authorization, ...headers } = await requestHeaders(request, config, services);
  if (authorization === undefined) return headers;
  const isKey = config.envKey !== null && Boolean(ownValue(services.env, config.envKey)?.trim());
  const name = isKey ? keyHeader(config) : "authorization";
  return { ...headers, [name]: name === "authorization" ? authorization : authorization.replace(/^Bearer /, "") };
}

function keyHeader({ wire }: ProviderConfig): string {
  if (wire === "anthropic") return "x-api-key";
  return wire === "gemini" ? "x-goog-api-key" : "authorization";
}
