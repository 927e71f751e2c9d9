import type { ProviderConfig } from "../config/effective-config.ts";
import { ownValue } from "../lib/table.ts";
import { quireVersion } from "../lib/version.ts";
import { Failure } from "./failure.ts";
import { gatewayHeaders } from "./login/gateway-headers.ts";
import type { TokenAccess } from "./login/token-access.ts";
import type { ModelRequest } from "./model-provider.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The services that a provider gets from its server. */
export interface ProviderServices {
  readonly env: Environment;
  /** The home, where the forms of requests that providers refuse are remembered. */
  readonly home?: string | undefined;
  /** The token of the stored login, sent only to providers that require it; `null` when logged out. */
  readonly auth?: (() => Promise<string | null>) | undefined;
  readonly authHeaders?: (() => Readonly<Record<string, string>>) | undefined;
  /** The client's attestation for a request with that token, if any. */
  readonly attest?: (() => Promise<string | null>) | undefined;
  /** Gets a new token after the provider has refused this one. Rejects when that fails. */
  readonly renewAuth?: ((refused: string) => Promise<void>) | undefined;
  readonly gateway?: TokenAccess | undefined;
  /** For providers whose token a program prints. */
  readonly printed?: TokenAccess | undefined;
  readonly userAgent?: string | undefined;
  /** The client on whose behalf requests are made. Default `quire`. */
  readonly originator?: string | undefined;
}

/** Headers of one request. Throws a {@link Failure} when the key that the provider needs is not there. */
export async function requestHeaders(
  request: ModelRequest,
  config: ProviderConfig,
  services: ProviderServices,
): Promise<Record<string, string>> {
  const session = request.metadata.session_id ?? request.threadId;
  return {
    ...(await providerHeaders(config, services)),
    accept: "text/event-stream",
    "content-type": "application/json",
    "user-agent": services.userAgent ?? `quire/${quireVersion}`,
    originator: services.originator ?? "quire",
    "session-id": session,
    "thread-id": request.threadId,
    "x-client-request-id": request.threadId,
  };
}

/** A provider's configured headers and those that identify the client. Throws as {@link requestHeaders} does. */
export async function providerHeaders(
  config: ProviderConfig,
  services: ProviderServices,
): Promise<Record<string, string>> {
  const token = await bearerToken(config, services);
  const attestation = token?.fromLogin ? await services.attest?.() : null;
  const set = { ...config.headers, ...environmentHeaders(config, services.env) };
  const { gatewayOauth } = config;
  const cookies = Object.entries(set).find(([name]) => name.toLowerCase() === "cookie")?.[1];
  return {
    ...set,
    ...(token?.fromLogin && services.authHeaders?.()),
    ...(attestation && { "x-oai-attestation": attestation }),
    ...(token !== null && { authorization: `Bearer ${token.text}` }),
    ...(gatewayOauth && services.gateway && (await gatewayHeaders(gatewayOauth.delivery, services.gateway, cookies))),
  };
}

/** The endpoint with the provider's query parameters, those of its address first. */
export function requestUrl(config: ProviderConfig): string {
  const [address = ""] = (config.baseUrl ?? "").split("?", 1);
  return withQuery(`${address.replace(/\/+$/, "")}/responses`, config);
}

/** An address with the provider's query parameters: those of its own address, then the configured ones. */
export function withQuery(url: string, { baseUrl, queryParams }: ProviderConfig): string {
  const [, own = ""] = (baseUrl ?? "").split("?", 2);
  const given = Object.entries(queryParams);
  const query = [own, given.length > 0 ? new URLSearchParams(given).toString() : ""].filter((part) => part !== "");
  return query.length === 0 ? url : `${url}${url.includes("?") ? "&" : "?"}${query.join("&")}`;
}

interface BearerToken {
  readonly text: string;
  readonly fromLogin: boolean;
}

async function bearerToken(config: ProviderConfig, services: ProviderServices): Promise<BearerToken | null> {
  const fromEnv = config.envKey === null ? undefined : ownValue(services.env, config.envKey)?.trim();
  if (fromEnv) return { text: sendable(fromEnv, config.envKey), fromLogin: false };
  if (config.bearerToken !== null) return { text: config.bearerToken, fromLogin: false };
  const printed = await services.printed?.token();
  if (printed) return { text: printed, fromLogin: false };
  const stored = config.requiresOpenaiAuth ? await services.auth?.() : null;
  if (stored) return { text: stored, fromLogin: true };
  if (config.envKey === null) return null;
  if (config.requiresOpenaiAuth && config.envKeyInstructions === null)
    throw new Failure(`Not logged in to "${config.name}": log in, or set \`${config.envKey}\`.`, "unauthorized");
  const instructions =
    config.envKeyInstructions ?? `Set it to the key of the provider "${config.name}" and start again.`;
  throw new Failure(`Missing environment variable: \`${config.envKey}\`. ${instructions}`, "other");
}

/** A variable that is unset or empty omits its header. */
function environmentHeaders(config: ProviderConfig, env: Environment): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, variable] of Object.entries(config.envHeaders)) {
    const value = ownValue(env, variable)?.trim();
    if (value) headers[name] = sendable(value, variable);
  }
  return headers;
}

/** An invalid header value would fail after every retry with a message that does not name its origin. */
function sendable(value: string, variable: string | null): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new Failure(
    `The environment variable \`${variable}\` holds characters that cannot be sent in a header, such as a line break. Set it anew.`,
    "other",
  );
}
