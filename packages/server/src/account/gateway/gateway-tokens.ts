import type { GatewayOAuth } from "../../config/provider/gateway-oauth.ts";
import { readBounded } from "../../lib/read-bounded.ts";

/** The tokens of a sign-in at a gateway. */
export interface GatewayTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** `null` when the gateway does not say. */
  readonly expiresAtMs: number | null;
}

const requestTimeoutMs = 30_000;

/** Exchanges the code from the browser for tokens. Rejects with the gateway's message. */
export function exchangeCode(
  gateway: GatewayOAuth,
  given: { readonly code: string; readonly redirectUri: string; readonly verifier: string },
): Promise<GatewayTokens> {
  return requestTokens(gateway, {
    grant_type: "authorization_code",
    code: given.code,
    redirect_uri: given.redirectUri,
    code_verifier: given.verifier,
  });
}

/** Renews tokens. The old refresh token stays where the gateway gives no new one. */
export async function refreshTokens(gateway: GatewayOAuth, refreshToken: string): Promise<GatewayTokens> {
  const renewed = await requestTokens(gateway, { grant_type: "refresh_token", refresh_token: refreshToken });
  return { ...renewed, refreshToken: renewed.refreshToken ?? refreshToken };
}

async function requestTokens(
  { tokenUrl, clientId, resource }: GatewayOAuth,
  fields: Readonly<Record<string, string>>,
): Promise<GatewayTokens> {
  const { grant_type, ...rest } = fields;
  const body = new URLSearchParams({
    grant_type: grant_type ?? "",
    client_id: clientId,
    ...rest,
    ...(resource !== null && { resource }),
  });
  // A redirect could take the code or the token elsewhere.
  const answer = await fetch(tokenUrl, {
    method: "POST",
    body,
    redirect: "error",
    signal: AbortSignal.timeout(requestTimeoutMs),
  });
  const said = parsed(await readBounded(answer));
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = said ?? {};
  if (!answer.ok || typeof accessToken !== "string" || accessToken === "")
    throw new Error(`the gateway answers ${answer.status}${said?.error ? ` (${String(said.error)})` : ""}`);
  return {
    accessToken,
    refreshToken: typeof refreshToken === "string" && refreshToken !== "" ? refreshToken : null,
    expiresAtMs: typeof seconds === "number" ? Date.now() + seconds * 1000 : null,
  };
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}
