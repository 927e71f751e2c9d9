import type { ProviderConfig } from "../config/effective-config.ts";
import { ownValue } from "../lib/table.ts";
import { quireVersion } from "../lib/version.ts";
import { Failure } from "./failure.ts";
import { gatewayHeaders } from "./gateway-headers.ts";
import type { ModelRequest } from "./model-provider.ts";
import type { TokenAccess } from "./token-access.ts";

/** Environment variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/** What a provider gets from the server around it. */
export interface ProviderServices {
  readonly env: Environment;
  /** The token of the stored login, sent only to providers that ask for it; `null` when nobody is logged in. */
  readonly auth?: (() => Promise<string | null>) | undefined;
  /** Headers that go with that token. */
  readonly authHeaders?: (() => Readonly<Record<string, string>>) | undefined;
  /** What the client says to vouch for a request that goes out with that token; `null` where none does. */
  readonly attest?: (() => Promise<string | null>) | undefined;
  /** Gets a new token where the provider has refused this one. Rejects where that fails. */
  readonly renewAuth?: ((refused: string) => Promise<void>) | undefined;
  /** For providers behind a gateway. */
  readonly gateway?: TokenAccess | undefined;
  /** For providers whose token a program prints. */
  readonly printed?: TokenAccess | undefined;
  /** Default: `quire` and its version. */
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

/** Headers that a provider is set up with, and those that say who asks. Throws as {@link requestHeaders} does. */
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
  const [address = "", own = ""] = (config.baseUrl ?? "").split("?", 2);
  const url = `${address.replace(/\/+$/, "")}/responses`;
  const given = Object.entries(config.queryParams);
  const query = [own, given.length > 0 ? new URLSearchParams(given).toString() : ""].filter((part) => part !== "");
  return query.length === 0 ? url : `${url}?${query.join("&")}`;
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
  const instructions =
    config.envKeyInstructions ?? `Set it to the key of the provider "${config.name}" and start again.`;
  throw new Failure(`Missing environment variable: \`${config.envKey}\`. ${instructions}`, "other");
}

/** A variable that is not set, or empty, leaves its header out. */
function environmentHeaders(config: ProviderConfig, env: Environment): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, variable] of Object.entries(config.envHeaders)) {
    const value = ownValue(env, variable)?.trim();
    if (value) headers[name] = sendable(value, variable);
  }
  return headers;
}

/** What no header can hold would be refused after every retry, in words that do not say where it comes from. */
function sendable(value: string, variable: string | null): string {
  if (/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new Failure(
    `The environment variable \`${variable}\` holds characters that cannot be sent in a header, such as a line break. Set it anew.`,
    "other",
  );
}
